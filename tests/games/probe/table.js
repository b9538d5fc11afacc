// How the page draws probe: a game of another distribution, whose telling fails for one kind of event.

import { board, el, heading, row, side, who } from "/page/pieces.js";

export const table = (zones, room) =>
  board(
    heading("Step " + zones.course.step + " of " + zones.course.of),
    room.seats.map(({ seat }) => side(who(zones, seat), { tone: seat, facts: [["points", zones.score.points[seat]]] },
      row(zones.decks[seat].map(() => el("span", {}, "card"))))),
  );

export function line(event, zones) {
  if (event.event === "scored") throw new Error("probe cannot tell this");
  return "probe: " + event.event + (event.seat === undefined ? "" : " by " + who(zones, event.seat));
}
