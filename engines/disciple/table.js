// The table of disciple on the page: five columns of virtues with both sides, hands as counts, piles, what waits.
// Knows zones as any audience sees them, and no state.

import { board, card, count, does, el, heading, meter, pile, pip, row, side, signed, title, titles, who, whose, words } from "/page/pieces.js";

const VIRTUES = ["book", "drop", "fire", "heart", "prayer"];
const GOAL = 7;

/**
 * Draw the table.
 * @param {Record<string, any>} zones  all zones of the view, by name
 * @param {Record<string, any>} room  zone `room`: seats, status, options
 * @returns {Element}
 */
export function table(zones, room) {
  return board(
    headingOf(zones),
    summary(zones, 1),
    el("div", { class: "columns" }, VIRTUES.map((virtue) => column(zones, virtue))),
    summary(zones, 0),
    waiting(zones),
  );
}

function headingOf(zones) {
  const { turn, active, phase, extra_plays: extra } = zones.turn;
  if (zones.result) return heading(zones.result.winner === null ? "The match is drawn" : `${who(zones, zones.result.winner)} has won`);
  return heading(`Turn ${turn}`, el("span", { class: "quiet" }, `${words(phase)}, ${who(zones, active)} is active${extra ? `, ${count(extra, "extra play")}` : ""}`));
}

function summary(zones, seat) {
  const discard = zones.discard[seat];
  const complete = VIRTUES.filter((virtue) => zones.symbols[seat][virtue] >= GOAL).length;
  return side(who(zones, seat), { tone: seat, active: !zones.result && zones.turn.active === seat, facts: [["complete columns", `${complete} of 3`]] },
    row([pile("in hand", zones.hand[seat].count), pile("in the deck", zones.deck[seat]), pile("discarded", discard.length, discard.at(-1)?.card)]));
}

function column(zones, virtue) {
  return el("section", { class: "column" }, el("h3", {}, title(virtue)), half(zones, virtue, 1), half(zones, virtue, 0));
}

/** One seat's side of a column, the earliest card next to the other side. */
function half(zones, virtue, seat) {
  const cards = zones[virtue][seat].map((one) => laid(zones, one, seat));
  const symbols = zones.symbols[seat][virtue];
  const label = el("h4", {}, el("bdi", {}, who(zones, seat)), el("span", { class: symbols >= GOAL ? "good" : "" }, symbols >= GOAL ? `${symbols}, complete` : `${symbols} of ${GOAL}`));
  return el("div", { class: `half seat${seat}` }, label, row(seat ? cards.reverse() : cards, "no card"));
}

function laid(zones, { card: key, face, owner, abundant }, seat) {
  const up = face === "up";
  const symbols = zones.cards[key]?.symbols ?? [];
  const tags = [!up && "disciple", owner !== seat && `${whose(zones, owner)} card`, abundant && "abundance"].filter(Boolean);
  return card({ title: title(key), down: !up, tags, pips: up ? symbols.map(symbolPip) : [pip("1", "one symbol", 7)] });
}

const symbolPip = (symbol) => pip(symbol[0].toUpperCase(), symbol, VIRTUES.indexOf(symbol));

function waiting(zones) {
  const parts = [
    zones.limbo.length && ["Being resolved", row(zones.limbo.map(({ card: key }) => card({ title: title(key), strong: true })))],
    zones.pending.length && ["Abilities that wait", row(zones.pending.map((one) => card({ title: title(one.source.card), note: `${words(one.trigger)}, ${who(zones, one.seat)}` })))],
    zones.lasting.length && ["Lasting", row(zones.lasting.map((one) => card({ title: title(one.card.card), note: `${one.kind === "boost" ? `${signed(one.n)} symbols` : "silenced"}, ${words(one.until)}` })))],
  ].filter(Boolean);
  return parts.length ? el("section", { class: "middle" }, parts.map(([label, shown]) => [el("h3", {}, label), shown])) : null;
}

// ---- events

/** How a match ends, in words. */
export const reasons = { virtues: "three complete columns", empty: "the other has neither hand nor deck", turn_limit: "the better board at the turn limit" };
const HOW = { action: "", extra: " as an extra play", reaction: " as a reaction" };

function place(zones, { zone, seat }) {
  if (zone === "limbo") return "the table";
  return `${whose(zones, seat)} ${zone === "discard" ? "discard pile" : VIRTUES.includes(zone) ? `${title(zone)} column` : zone}`;
}

const moved = (verb) => (e, z) => `${titles(e.cards)} ${verb} from ${place(z, e.from)} to ${place(z, e.to)}.`;
const ability = (verb) => (e) => `The ability of ${title(e.source.card)} ${verb}.`;

const LINES = {
  turn_started: (e, z) => `Turn ${e.turn}: ${who(z, e.seat)}.`,
  turn_ended: () => "",
  drawn: (e, z) => `${does(z, e.seat, "draw")} ${count(e.n, "card")}.`,
  card_played: (e, z) => `${does(z, e.seat, "play")} ${title(e.card.card)}${e.column ? ` into the ${title(e.column)} column` : ""}${HOW[e.how]}.`,
  reaction_opened: (e, z) => `${who(z, e.seat)} may react.`,
  reaction_declined: (e, z) => `${does(z, e.seat, "let")} it pass.`,
  moved: moved("moves"), side_switched: moved("changes sides"), returned: moved("returns"), milled: moved("goes"),
  recovered: moved("comes back"), put: moved("is put"),
  discarded: (e, z) => (e.from.zone === "limbo" ? `${titles(e.cards)} is done.` : `${titles(e.cards)} is discarded from ${place(z, e.from)}.`),
  flipped: (e) => `${titles(e.cards)} turns ${e.face === "up" ? "back into a saint" : "into a disciple"}.`,
  abundance_activated: (e) => `Abundance of ${title(e.source.card)}: seven symbols.`,
  ability_started: ability("begins"), ability_ended: () => "", ability_dropped: ability("is lost with it"),
  effect_skipped: (e) => `${title(e.source.card)}: nothing to ${words(e.do)}.`,
  peeked: (e, z) => `${does(z, e.seat, "look")} at ${e.what === "hand" ? "the other hand" : "the top of the other deck"} (${count(e.n, "card")}).`,
  scried: (e, z) => `${does(z, e.seat, "look")} at the top ${count(e.n, "card")} of the deck; ${e.bottom} to the bottom.`,
  searched: (e, z) => `${does(z, e.seat, "search")} the deck and takes ${e.found.length ? titles(e.found) : "nothing"}.`,
  shuffled: (e, z) => `${whose(z, e.seat)} deck is shuffled.`,
  lasting_added: (e) => `${title(e.kind)} on ${title(e.card.card)} begins.`,
  lasting_ended: (e) => `${title(e.kind)} on ${title(e.card.card)} ends.`,
  counts: () => "",
  game_over: (e, z) => (e.winner === null ? `The match is drawn (${words(e.reason)}).` : `${does(z, e.winner, "win")}: ${reasons[e.reason] ?? words(e.reason)}.`),
};

/**
 * Tell an event in one sentence; "" if it is not worth one.
 * @param {Record<string, any>} event
 * @param {Record<string, any>} zones  as they were right after it
 * @returns {string}
 */
export function line(event, zones) {
  const tell = LINES[event.event];
  return tell ? tell(event, zones) : `${title(event.event)}.`;
}
