// Events as sentences: those of the service, the same for every game, and any other by its fields.

import { sentence, words, who } from "/page/pieces.js";

const OF_THE_ROOM = {
  room_opened: () => "The room is open.",
  seat_taken: ({ seat, name }) => `\u2068${name}\u2069 takes seat ${seat + 1}.`,
  seat_left: ({ seat }) => `Seat ${seat + 1} is free again.`,
  seat_ready: ({ seat, ready }, zones) => `${who(zones, seat)} is ${ready ? "ready" : "not ready any more"}.`,
  seat_lost: ({ seat, reason }, zones) => `${who(zones, seat)} plays no more: ${words(reason)}.`,
  seat_away: ({ seat }, zones) => `${who(zones, seat)} is away.`,
  seat_back: ({ seat }, zones) => `${who(zones, seat)} is back.`,
  match_started: () => "The match begins.",
  rewound: () => "Newer rules took over: the match goes on from its last checkpoint, with fresh chance.",
  room_ended: ({ reason, status }) => `The match is over: ${words(reason)} (${status}).`,
};

/** Tell an event of the service; null if it is the game's. @returns {string | null} */
export const roomLine = (event, zones) => OF_THE_ROOM[event.event]?.(event, zones) ?? null;

/** Plain values in one line. */
export function inline(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(inline).join(value.some((part) => typeof part === "object") ? "; " : " ") || "–";
  if (typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, part]) => `${words(name)} ${inline(part)}`).join(", ");
}

/** Tell any event by its fields: "placed: seat 1, x 4". */
export function plainLine({ event, ...fields }) {
  const rest = inline(fields);
  return `${sentence(words(event ?? "something"))}${rest ? `: ${rest}` : ""}.`;
}
