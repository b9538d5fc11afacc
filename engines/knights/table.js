// The table of knights on the page: both fields with four knight and four support spaces, divine life, piles, the
// scenario between them, the attack and its damage. Knows zones, and no state.

import { board, card, count, does, el, facts, heading, meter, part, pile, row, side, signed, title, titles, who, whose, words } from "/page/pieces.js";

const STANCES = { attack: "attacking", defend: "defending", evade: "evading" };
const AFFLICTED = { par: "paralysed", env: "poisoned", cng: "frozen", qmd: "burnt", pos: "possessed", nse: "numbed", any: "afflicted" };
const STATS = { ce: "strength", ar: "armour", pv: "life", pc: "cosmos", max_pv: "most life", max_pc: "most cosmos" };

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
  const { turn, active, phase } = zones.turn;
  if (zones.result) return heading(zones.result.winner === null ? "The match is drawn" : `${who(zones, zones.result.winner)} has won`);
  return heading(`Turn ${turn}`, el("span", { class: "quiet" }, `${words(phase)}, ${who(zones, active)} is active`));
}

function seatOf(zones, seat) {
  const { pvd, most } = zones.pvd[seat];
  const god = zones.deity[seat];
  const helper = zones.helper[seat];
  const rows = [supports(zones, seat), knights(zones, seat)];
  return side(who(zones, seat), { tone: seat, active: !zones.result && zones.turn.active === seat, facts: [["serves", god ? title(god) : "not yet told"], ["helper", helper ? title(helper.card) : "none"]] },
    meter("divine life", pvd, most),
    seat ? rows : rows.reverse(), // knights face each other over the middle
    part("Piles", row([pile("in hand", zones.hand[seat].count), pile("in the deck", zones.deck[seat]), pileOf("Yomotsu", zones.discard[seat]), pileOf("Cocytos", zones.exile[seat])])));
}

const pileOf = (label, cards) => pile(label, cards.length, cards.at(-1)?.card);

const knights = (zones, seat) => el("ol", { class: "spaces", "aria-label": "Knights" }, zones.knights[seat].map(knight));

function knight(space, at) {
  if (!space) return el("li", { class: "space free" }, `knight space ${at + 1}`);
  if (space.reserved) return el("li", { class: "space free" }, `kept for ${title(space.reserved.card)}`);
  const states = Object.entries(space.states).map(([key, turns]) => `${AFFLICTED[key] ?? key}${turns ? `, ${count(turns, "turn")}` : ""}`);
  return el("li", { class: "space" },
    el("span", { class: "name" }, title(space.card)),
    el("div", { class: "bar" }, meter("life", space.pv, space.max_pv, `${space.pv}/${space.max_pv}`), meter("cosmos", space.pc, space.max_pc, `${space.pc}/${space.max_pc}`)),
    facts([["strength", space.ce], ["armour", space.ar]]),
    el("span", {}, [STANCES[space.stance] ?? space.stance, space.acted && "has acted"].filter(Boolean).join(", ")),
    states.length > 0 && el("span", { class: "bad" }, states.join(", ")),
    space.keywords.length > 0 && el("span", { class: "quiet" }, space.keywords.map(words).join(", ")));
}

const supports = (zones, seat) => el("ol", { class: "spaces", "aria-label": "Techniques and objects" }, zones.support[seat].map((space, at) => support(zones, space, at)));

/** A support space; of a card that lies face down a spectator knows nothing more. */
function support(zones, space, at) {
  if (!space) return el("li", { class: "space free" }, `support space ${at + 1}`);
  if (!space.card) return el("li", {}, card({ down: true }));
  const host = space.host && zones.knights[space.host.seat]?.[space.host.slot - 1];
  return el("li", {}, card({ title: title(space.card), note: [space.kind, host?.card && `of ${title(host.card)}`].filter(Boolean).join(" "), down: space.face === "down" }));
}

function middle(zones) {
  const { scenario, attack, strikes, modifiers, restrictions } = zones;
  return el("section", { class: "middle" },
    el("h3", {}, scenario ? `Scenario: ${title(scenario.card)}` : "No scenario"),
    attack && part("Attack", el("p", { class: "value" }, attackOf(zones, attack))),
    strikes.length > 0 && part("Damage", strikes.map((one) => strike(one))),
    modifiers.length > 0 && part("Lasting", row(modifiers.map((one) => card({ title: knightAt(zones, one.target), note: `${one.kind === "stat" ? `${signed(one.n)} ` : ""}${STATS[one.what] ?? words(one.what)}, ${words(one.duration)}` })))),
    restrictions.length > 0 && part("Forbidden", el("p", { class: "value" }, restrictions.map((one) => `${who(zones, one.seat)}: no ${words(one.what)}`).join("; "))));
}

function attackOf(zones, { attacker, targets, technique, kind, seat }) {
  const by = technique ? ` with ${title(technique)}` : "";
  const goal = kind === "direct" ? `${who(zones, 1 - seat)} directly` : targets.map((target) => knightAt(zones, target)).join(" and ");
  return `${knightAt(zones, attacker)} attacks ${goal}${by}.`;
}

function strike(one) {
  const how = { acn: "plain attack", counter: "counter" }[one.how] ?? title(one.how);
  return el("div", {}, el("p", { class: "value" }, `${title(one.attacker)} on ${title(one.target)} (${how})`),
    facts([["attack", one.aa], ["armour", one.armor], ["difference", one.raw], ["coin", one.coin || null], ["damage", one.damage]]));
}

/** The knight that stands at a place now. */
function knightAt(zones, place) {
  const space = place && zones.knights[place.seat]?.[place.slot - 1];
  return space?.card ? title(space.card) : place ? `the knight in ${whose(zones, place.seat)} space ${place.slot}` : "a knight that is gone";
}

// ---- events

/** How a match ends, in words. */
export const reasons = { pvd: "no divine life is left", draw: "both fell at once", turn_limit: "the turn limit is reached" };
const WHERE = { deck_top: "the top of the deck", deck_bottom: "the bottom of the deck", field: "play", hand: "hand", deck: "the deck", discard: "Yomotsu", exile: "Cocytos" };
const LEFT = { destroyed: "is destroyed", discarded: "is discarded", replaced: "is replaced", host_gone: "goes with its knight", resolved: "is done" };
const slot = (e) => (e.slot === undefined ? "" : ` in space ${e.slot}`);
const played = (verb) => (e, z) => `${does(z, e.seat, verb)} ${title(e.card.card)}${slot(e)}.`;
const used = (verb) => (e, z) => `${knightAt(z, e.host)} ${verb} ${title(e.card.card)}.`;
const counted = (unit, field) => (e, z) => `${knightAt(z, e.knight)}: ${signed(e.amount)} ${unit}, now ${e[field]}.`;
const afflicted = (verb) => (e, z) => `${knightAt(z, e.knight)} ${verb} ${AFFLICTED[e.state] ?? e.state}.`;

function damage(e) {
  const how = { acn: "plain attack", counter: "counter" }[e.how] ?? title(e.how);
  const rest = e.damage === e.raw ? "" : `, reduced to ${e.damage}`;
  return `${title(e.attacker)} hits ${title(e.card)} (${how}): attack ${e.aa}, armour ${e.armor}: ${e.raw} damage${rest}.`;
}

function laid(e, z) {
  if (!e.card) return `${does(z, e.seat, "lay")} a technique face down${slot(e)}.`;
  return `${does(z, e.seat, "lay")} ${title(e.card.card)}${e.face === "down" ? " face down" : ""} for ${knightAt(z, e.host)}.`;
}

const LINES = {
  deities_revealed: (e) => `The seats serve ${e.deities.map(title).join(" and ")}.`,
  match_started: (e, z) => `${does(z, e.starter, "begin")}.`,
  turn_started: (e, z) => `Turn ${e.turn}: ${who(z, e.seat)}.`,
  turn_ended: () => "",
  card_drawn: (e, z) => `${does(z, e.seat, "draw")} a card.`,
  deck_empty: (e, z) => `${whose(z, e.seat)} deck is empty.`,
  mulligan_done: (e, z) => `${does(z, e.seat, e.redrew ? "redraw" : "keep")} the hand.`,
  knight_entered: played("bring"), helper_played: played("take"), scenario_played: played("open"), occasion_played: played("play"),
  technique_set: laid,
  technique_flipped: (e) => `${title(e.card.card)} turns face ${e.face}.`,
  object_equipped: (e, z) => `${knightAt(z, e.host)} bears ${title(e.card.card)}.`,
  technique_used: used("uses"), technique_fizzled: used("has too little cosmos for"), reacted: used("reacts with"),
  card_left: (e) => `${e.card ? title(e.card.card) : "A card"} ${LEFT[e.reason] ?? "leaves play"} (${WHERE[e.to] ?? e.to}).`,
  attack_declared: (e, z) => attackOf(z, { ...e, seat: e.attacker.seat }),
  attack_redirected: (e, z) => `The attack now hits ${knightAt(z, e.target)}.`,
  attack_evaded: (e, z) => `${knightAt(z, e.target)} evades.`,
  attack_ended: (e) => (e.reason === "hit" ? "" : "The attack comes to nothing."),
  reaction_window: (e, z) => `${who(z, e.seat)} may react.`,
  reaction_passed: (e, z) => `${does(z, e.seat, "let")} it come.`,
  damage_dealt: damage,
  pv_changed: counted("life", "pv"), pc_changed: counted("cosmos", "pc"),
  stat_changed: (e, z) => `${knightAt(z, e.knight)}: ${signed(e.amount)} ${STATS[e.stat] ?? e.stat}.`,
  stance_changed: (e, z) => `${knightAt(z, e.knight)} is now ${STANCES[e.stance] ?? e.stance}.`,
  state_gained: afflicted("is now"), state_lost: afflicted("is no longer"), state_resisted: afflicted("is not made"),
  keyword_changed: (e, z) => `${knightAt(z, e.knight)}: ${words(e.keyword)}.`,
  readied: (e, z) => `${knightAt(z, e.knight)} may act again.`,
  restriction_changed: (e, z) => `${who(z, e.seat)} may ${e.duration ? "not " : ""}have ${words(e.what)}s.`,
  control_changed: (e, z) => `${knightAt(z, e.to)} now stands on ${whose(z, e.to.seat)} side.`,
  knight_moved: (e, z) => `${knightAt(z, e.to)} moves to space ${e.to.slot}.`,
  knight_destroyed: (e) => `${title(e.card.card)} falls.`,
  pvd_changed: (e, z) => `${who(z, e.seat)}: ${signed(e.amount)} divine life, now ${e.pvd}.`,
  coin_tossed: (e) => `The coin shows ${e.result}.`,
  search_started: (e, z) => `${does(z, e.seat, "search")} ${whose(z, e.whose)} deck.`,
  deck_shuffled: (e, z) => `${whose(z, e.seat)} deck is shuffled.`,
  peeked: (e, z) => `${does(z, e.seat, "look")} at ${e.count} of ${whose(z, e.whose)} ${e.zone}.`,
  cards_moved: (e, z) => `${e.cards?.length ? titles(e.cards) : count(e.n, "card")}: from ${whose(z, e.seat)} ${WHERE[e.from] ?? e.from} to ${WHERE[e.to] ?? e.to}.`,
  ability_activated: (e) => `${title(e.source.card)} uses an ability.`,
  trigger_resolved: (e) => `${title(e.source?.card ?? e.deity)} acts (${words(e.trigger)}).`,
  resolution_limit: () => "Too much was triggered: the rest is dropped.",
  match_over: (e, z) => (e.winner === null ? `The match is drawn: ${reasons[e.reason] ?? words(e.reason)}.` : `${does(z, e.winner, "win")}: ${reasons[e.reason] ?? words(e.reason)}.`),
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
