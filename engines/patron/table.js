// The table of patron on the page: each seat's patron with milestones and progress, friend, Terra Sanctorum, graces,
// face-down events, tokens; in the middle the last check with every part. Knows zones, and no state.

import { board, card, count, dice, does, el, facts, heading, meter, part, pile, row, side, signed, title, titles, who, whose, words } from "/page/pieces.js";

const MILESTONES = 5;
const VIRTUES = ["faith", "hope", "charity", "prudence", "justice", "fortitude", "temperance"];
const SOURCES = { ongoing: "lasting", effect: "effect of" };

/**
 * Draw the table.
 * @param {Record<string, any>} zones  all zones of the view, by name
 * @param {Record<string, any>} room  zone `room`: seats, status, options
 * @returns {Element}
 */
export function table(zones, room) {
  return board(headingOf(zones), seatOf(zones, 1), middle(zones), seatOf(zones, 0));
}

function headingOf(zones) {
  const { turn, active, phase, pass_index: pass, pool, priority } = zones.turn;
  if (zones.result) return heading(zones.result.winner === null ? "The match is drawn" : `${who(zones, zones.result.winner)} has won`);
  if (active === null) return heading("Before the first turn");
  const more = [words(phase), pass && `pass ${pass + 1}`, pool !== null && `${count(pool, "point")} of intercession left`, priority !== null && `${who(zones, priority)} has priority`];
  return heading(`Turn ${turn}`, el("span", { class: "quiet" }, more.filter(Boolean).join(", ")));
}

function seatOf(zones, seat) {
  const { tokens, stored } = zones.counters[seat];
  const discard = zones.discard[seat];
  const restricted = zones.restricted[seat];
  return side(who(zones, seat), { tone: seat, active: !zones.result && zones.turn.active === seat, facts: [["tokens", tokens], ["stored points", stored]] },
    patron(zones, seat),
    part("Terra Sanctorum", row(zones.terra[seat].map((saint) => saintCard(zones, seat, saint)), "no saint yet")),
    el("div", { class: "parts" },
      part("Graces", row(grouped(zones.graces[seat]).map(([key, n]) => card({ title: title(key), note: n > 1 ? `× ${n}` : null })), "none")),
      part("Events", row(zones.events[seat].map(slot), "none"))),
    el("div", { class: "parts" },
      part("Modifiers", facts(VIRTUES.map((virtue) => [virtue, signed(zones.modifiers[seat][virtue])]))),
      part("Piles", row([pile("in hand", zones.hand[seat].count), pile("in the deck", zones.deck[seat]), pile("discarded", discard.length, discard.at(-1)?.card)]))),
    restricted.length > 0 && el("p", { class: "quiet" }, `May not: ${restricted.map(words).join(", ")}.`),
  );
}

function patron(zones, seat) {
  const { card: key, in_play: inPlay, milestones, progress, cost } = zones.patron[seat];
  const toward = milestones < MILESTONES && inPlay ? `, progress ${progress ?? "hidden"} toward the next` : "";
  return part("Patron", row([
    card({ title: title(key), strong: inPlay, spent: !inPlay, note: inPlay ? "in play" : `waits, costs ${cost}` }),
    meter("milestones", milestones, MILESTONES, `${milestones} of ${MILESTONES}${toward}`),
  ]));
}

function saintCard(zones, seat, { id, card: key }) {
  const isPatron = zones.patron[seat].id === id;
  const isFriend = zones.friend[seat] === id;
  const used = zones.used[seat].filter((stone) => stone.card === key).length;
  const tags = [isPatron && "patron", isFriend && "friend", used > 0 && "effect used"].filter(Boolean);
  return card({ title: title(key), note: `score ${zones.cards[key]?.score ?? "?"}`, strong: isPatron || isFriend, tags });
}

/** Cards by key, in the order in which they came, with how many there are of each. */
function grouped(cards) {
  const counts = new Map();
  for (const { card: key } of cards) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts];
}

/** An event's place: face down, unless whoever looks knows it. */
const slot = ({ slot: name, set_turn: turn, card: key }) =>
  card({ title: key ? title(key) : "Face down", note: `${name}, since turn ${turn}`, down: !key });

function middle(zones) {
  const { last_check: check, resolving, ongoing } = zones;
  return el("section", { class: "middle" },
    el("h3", {}, "Last check"),
    check ? checkOf(zones, check) : el("p", { class: "quiet" }, "Nobody has rolled yet."),
    resolving.length > 0 && part("On the table", row(resolving.map(({ card: key }) => card({ title: title(key), strong: true })))),
    ongoing.length > 0 && part("Lasting", row(ongoing.map((one) => card({ title: title(one.card), note: lasting(zones, one) })))));
}

function checkOf(zones, told) {
  const cap = told.modifier_sum > told.cap ? ` (at most ${signed(told.cap)})` : "";
  const rows = [
    ["dice", dice(told.dice, told.kept)],
    ["modifier", `${signed(told.modifier)}${cap}`],
    ["total", told.total],
    [told.rule === "reach" ? "to reach" : "to exceed", told.number],
    ["outcome", el("span", { class: told.success ? "good" : "bad" }, told.success ? "success" : "failure")],
  ];
  const sum = [...told.parts.map((one) => `${partOf(one)}`), ...told.number_parts.map((one) => `number ${partOf(one)}`)];
  return [
    el("p", { class: "value" }, `${who(zones, told.seat)}: ${title(told.card.card)}, ${words(told.virtue)} (${words(told.reason)})`),
    facts(rows),
    sum.length > 0 && el("p", { class: "quiet" }, `Made of ${sum.join(", ")}.`),
  ];
}

const partOf = ({ n, source, card: key }) => `${signed(n)} ${SOURCES[source] ?? words(source)} ${title(key)}`;

function lasting(zones, one) {
  const what = [one.n !== undefined && signed(one.n), words(one.op), one.virtue, one.rule, one.action && words(one.action)].filter(Boolean).join(" ");
  return `${what} for ${who(zones, one.seat)}, ${one.duration}`;
}

// ---- events

/** How a match ends, in words. */
export const reasons = { milestones: "all five milestones", deck_out: "the other cannot draw", max_turns: "the better patron after the last turn" };
const PLACES = { terra: "the Terra Sanctorum", graces: "the graces", events: "a face-down place", hand: "hand", deck: "the deck", discard: "the discard pile", resolving: "the table" };
const sum = (values) => values.join(" + ");
const kept = (e) => (e.kept.length === e.dice.length ? "" : ` (counting ${sum(e.kept)})`);
const about = (verb, after = "") => (e, z) => `${does(z, e.seat, verb)} ${title(e.card.card)}${after}.`;
const played = (e, z) => `${does(z, e.seat, "play")} ${title(e.card.card)}${e.cost ? ` for ${e.cost}` : ""}.`;
const stored = (e, z) => `${who(z, e.seat)}: ${count(e.stored ?? 0, "stored point")}.`;

function rolled(e, z) {
  const more = `${e.stored ? ` + ${e.stored} stored` : ""}${e.bonus ? ` ${signed(e.bonus)}` : ""}`;
  return `${does(z, e.seat, "roll")} ${sum(e.dice)}${kept(e)}${more}: ${count(e.pool, "point")} of intercession.`;
}

function checked(e, z) {
  const parts = e.parts.map((one) => ` ${partOf(one)}`).join("");
  return `${does(z, e.seat, "roll")} ${sum(e.dice)}${kept(e)}${parts} = ${e.total} against ${e.number} (${title(e.card.card)}, ${e.virtue}): ${e.success ? "success" : "failure"}.`;
}

function shifted(e, z) {
  const what = e.card ? title(e.card.card) : e.slot ? `event ${e.slot}` : "card";
  return `${whose(z, e.seat)} ${what} goes from ${PLACES[e.from] ?? e.from} to ${PLACES[e.to] ?? e.to}.`;
}

const LINES = {
  match_started: () => "The match begins.",
  start_roll: (e, z) => `${does(z, e.seat, "roll")} ${sum(e.dice)} for the first turn.`,
  first_chosen: (e, z) => `${does(z, e.seat, "begin")}.`,
  mulligan_done: (e, z) => `${does(z, e.seat, "exchange")} ${count(e.count, "card")}.`,
  deck_shuffled: (e, z) => `${whose(z, e.seat)} deck is shuffled.`,
  deck_reshuffled: (e, z) => `${whose(z, e.seat)} discard pile becomes a new deck.`,
  turn_started: (e, z) => `Turn ${e.turn}: ${who(z, e.seat)}.`,
  turn_ended: () => "",
  phase_entered: (e) => `Phase: ${words(e.phase)}${e.pass_index ? " again" : ""}.`,
  cards_drawn: (e, z) => `${does(z, e.seat, "draw")} ${count(e.count, "card")}.`,
  intercession_rolled: rolled, check_rolled: checked,
  saint_played: played, patron_played: played, grace_played: played,
  grace_failed: about("lose", ", not overcome"),
  points_stored: stored, stored_reset: stored, stored_changed: stored,
  friend_set: (e, z) => `${does(z, e.seat, "choose")} ${title(e.card.card)} as friend${e.previous ? `, in place of ${title(e.previous.card)}` : ""}.`,
  effect_activated: about("activate"),
  event_set: (e, z) => `${does(z, e.seat, "set")} event ${e.slot} face down.`,
  event_revealed: (e, z) => `${does(z, e.activator, "activate")} ${e.slot}: ${title(e.card.card)}.`,
  event_won: (e, z) => `${does(z, e.seat, "win")} ${title(e.card.card)}: ${count(e.tokens, "token")}.`,
  event_unwon: (e) => `Nobody wins ${title(e.card.card)}.`,
  priority_passed: (e, z) => `${does(z, e.seat, "pass")}${e.auto ? " (nothing is ready)" : ""}.`,
  milestone_completed: (e, z) => `${does(z, e.seat, "complete")} milestone ${e.number}!`,
  milestone_failed: (e, z) => `${does(z, e.seat, "fail")} milestone ${e.number}.`,
  card_cycled: about("cycle"),
  hand_discarded: (e, z) => `${does(z, e.seat, "discard")} ${titles(e.cards)}.`,
  card_moved: shifted,
  cards_looked: (e, z) => `${does(z, e.seat, "look")} at the top ${count(e.count, "card")} of the deck.`,
  peeked: (e, z) => `${does(z, e.seat, "look")} at ${e.what === "event" ? `event ${e.slot}` : "the hand"} of ${who(z, e.whose)}.`,
  tokens_changed: (e, z) => `${who(z, e.seat)}: ${signed(e.by)} tokens, now ${e.tokens}.`,
  stone_removed: (e, z) => `${does(z, e.seat, "make")} ${title(e.card.card)} ready again.`,
  trigger_fired: (e, z) => `${title(e.card.card)} takes effect for ${who(z, e.seat)}.`,
  ongoing_added: ({ ongoing }, z) => `${title(ongoing.card)}: ${lasting(z, ongoing)}.`,
  ongoing_expired: ({ ongoing }, z) => `${title(ongoing.card)} ends: ${lasting(z, ongoing)}.`,
  game_over: (e, z) => (e.winner === null || e.winner === "draw" ? "The match is drawn." : `${does(z, e.winner, "win")}: ${reasons[e.reason] ?? words(e.reason)}.`),
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
