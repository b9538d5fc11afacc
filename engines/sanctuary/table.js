// The table of sanctuary on the page: display, objectives, and each seat's zoo as a map of hexes with cards, markers and
// points; the map's tiles as a listing too. Knows zones, and no state.

import { board, card, count, does, el, facts, heading, more, part, pile, pip, row, sentence, side, svg, title, unseen, who, words } from "/page/pieces.js";

const COLUMNS = "ABCDEFG";
const TALL = "BDF"; // these columns have four hexes and begin half a hex higher
const RIVER = "AG";
const ENTRANCE = "D4";
/** What is printed on the maps that ship with the game (pack/maps.toml); of others only tiles are drawn. */
const GROUNDS = {
  riverside: { printed: ["B2", "F2"], bonuses: { A1: "gain", G1: "gain", C2: "draw", E2: "draw", D1: "take", B4: "shift", F4: "pouch" } },
  terraces: { printed: ["D2"], bonuses: { A3: "open_area", G3: "open_area", B1: "take", F1: "take", C1: "pouch", E1: "relocate", D3: "draw" } },
};
const ICONS = ["forest", "rock", "water", "predator", "herbivore", "primate", "bird", "reptile", "petting", "africa", "americas", "asia", "australia", "europe"];
const SIGNS = ["Fo", "Ro", "Wa", "pr", "he", "pm", "bi", "re", "pe", "AF", "AM", "AS", "AU", "EU"];
const TONES = { forest: 5, rock: 7, water: 0 };
const ACHIEVEMENTS = ["2", "3", "4", "5"];
const [SIZE, HALF] = [60, 52]; // of a hex: from its middle to a corner, and to a side

/**
 * Draw the table.
 * @param {Record<string, any>} zones  all zones of the view, by name
 * @param {Record<string, any>} room  zone `room`: seats, status, options
 * @returns {Element}
 */
export function table(zones, room) {
  const seats = room.seats.map((_, at) => at).filter((at) => zones[`zoo_${at}`]);
  return board(headingOf(zones), middle(zones, seats), el("div", { class: "sides" }, seats.map((at) => zoo(zones, at))));
}

function headingOf(zones) {
  const { turn_no: turn, active, phase } = zones.turn;
  const { result, trigger, solo_left: solo } = zones.ending;
  if (result) return heading("The match is over");
  const about = [words(phase), `${who(zones, active)} is active`, trigger && "final round", solo > 0 && `${count(solo, "solo marker")} left`];
  return heading(`Turn ${turn}`, el("span", { class: "quiet" }, about.filter(Boolean).join(", ")));
}

/** A tile's id as its name: "an_lion_f" → "Lion ♀". */
function nameOf(id) {
  const name = words(id.replace(/^[a-z]{2}_/, "").replace(/_[mf]$/, ""));
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const sexOf = (tile) => ({ m: "male", f: "female" })[tile?.sex];
const sexSign = (tile) => ({ m: " ♂", f: " ♀" })[tile?.sex] ?? "";
const toneOf = (tile) => TONES[tile.icons?.find((icon) => icon in TONES)] ?? { animal: 6, building: 3, project: 4 }[tile.kind] ?? 7;
const iconTone = (icon) => TONES[icon] ?? (icon[0] === icon[0].toLowerCase() && ICONS.indexOf(icon) < 9 ? 6 : 4);
const iconsOf = (tile) => (tile.icons ?? []).map((icon) => pip(SIGNS[ICONS.indexOf(icon)] ?? icon.slice(0, 2), icon, iconTone(icon)));

function tileCard(zones, id) {
  const tile = zones.tiles[id] ?? {};
  const note = [tile.kind, tile.level && `level ${tile.level}`, sexOf(tile)].filter(Boolean).join(", ");
  return card({ title: nameOf(id), note, pips: iconsOf(tile) });
}

function middle(zones, seats) {
  const { pending, revealed } = zones.effects;
  return el("section", { class: "middle" },
    el("h3", {}, "Display"),
    el("ol", { class: "row" }, zones.display.map((id) => el("li", {}, id ? tileCard(zones, id) : card({ title: "empty", spent: true })))),
    el("div", { class: "parts" },
      part("Supply", row([pile("in the pile", zones.pile), pile("discarded", zones.discard.length, zones.discard.at(-1)?.slice(3))])),
      part("Objectives", row(Object.keys(zones.objectives).map((name) => objective(zones, seats, name))))),
    pending.length > 0 && part("Waiting", row(pending.map((one) => card({ title: effect(one.what), note: source(zones, one) })))),
    revealed.length > 0 && part("Turned up", row(revealed.map((id) => tileCard(zones, id)))));
}

function objective(zones, seats, name) {
  const tags = seats.flatMap((at) =>
    Object.entries(zones[`seat_${at}`].achievements).filter(([, where]) => where === name).map(([needed]) => `${who(zones, at)}: ${needed}`));
  const [named, icon] = [words(name.replace(/^ob_/, "")), words(zones.objectives[name])];
  return card({ title: named, note: named === icon ? null : icon, tags });
}

const effect = ({ do: verb, n, max, marker }) => [words(verb), n ?? (max && `up to ${max}`), marker && words(marker)].filter(Boolean).join(" ");
const source = (zones, one) => (zones.tiles[one.source] ? nameOf(one.source) : one.source);

function zoo(zones, at) {
  const { sheet, cards, achievements, conservation, pouch, end_marker: end, status } = zones[`seat_${at}`];
  const spare = ACHIEVEMENTS.filter((needed) => achievements[needed] === null);
  const counted = Object.entries(sheet).filter(([name, points]) => points && !["total", "animal_tiles"].includes(name));
  const facing = [["points", sheet.total], ["hand", count(zones[`hand_${at}`].count, "tile")], ["conservation", conservation], ["pouch", pouch], ["end marker", end || null], ["status", status === "active" ? null : status]];
  return side(who(zones, at), { tone: at, active: !zones.ending.result && zones.turn.active === at, facts: facing },
    part("Action cards, weakest first", row(cards.map((one) => card({ title: one.card, note: `strength ${one.strength}`, tags: one.side === 2 ? ["side 2"] : [] })))),
    map(zones, at),
    tiles(zones, at),
    el("div", { class: "parts" },
      part("Points", counted.length ? facts(counted.map(([name, points]) => [words(name), points])) : el("p", { class: "quiet" }, "none yet")),
      part("Achievements left", el("p", { class: "value" }, spare.join(", ") || "none"))));
}

// ---- the map

const HEXES = [...COLUMNS].flatMap((column) => Array.from({ length: TALL.includes(column) ? 4 : 3 }, (_, n) => `${column}${n + 1}`));

function middleOf(space) {
  const column = COLUMNS.indexOf(space[0]);
  return [SIZE + 4 + column * SIZE * 1.5, HALF + 4 + (Number(space[1]) - 1) * 2 * HALF + (TALL.includes(space[0]) ? 0 : HALF)];
}

function map(zones, at) {
  return svg("svg", { class: "map", viewBox: `0 0 ${SIZE * 11 + 8} ${HALF * 8 + 8}`, role: "img", "aria-label": `Map of ${who(zones, at)}’s zoo; its tiles are listed below` },
    HEXES.map((space) => hex(zones, at, space)));
}

function hex(zones, at, space) {
  const [x, y] = middleOf(space);
  const corners = [[SIZE, 0], [SIZE / 2, HALF], [-SIZE / 2, HALF], [-SIZE, 0], [-SIZE / 2, -HALF], [SIZE / 2, -HALF]];
  const { kind, lines, tone } = whatLies(zones, at, space);
  const river = RIVER.includes(space[0]) ? "river" : "";
  const top = y - (lines.length - 1) * 8.5 + 5;
  return svg("g", { class: [river, kind, tone === undefined ? "" : `tone${tone}`].join(" ").trim() },
    svg("polygon", { points: corners.map(([dx, dy]) => `${x + dx * 0.96},${y + dy * 0.96}`).join(" ") }),
    svg("text", { class: "small", x, y: y - HALF + 16 }, space),
    lines.map((text, n) => svg("text", { x, y: top + n * 17 }, text)));
}

function whatLies(zones, at, space) {
  const ground = GROUNDS[zones.options.map];
  const stack = zones[`zoo_${at}`][space];
  if (space === ENTRANCE) return { kind: "area", lines: ["Entrance"] };
  if (!stack) {
    const bonus = !zones[`seat_${at}`].bonus_taken.includes(space) && ground?.bonuses[space];
    if (ground?.printed.includes(space)) return { kind: "area", lines: ["open area"] };
    return { kind: "", lines: bonus ? [`+ ${words(bonus)}`] : [] };
  }
  const { tile: id, face } = stack.at(-1);
  if (face === "down" || !id) return { kind: "area", lines: ["open area"] };
  const tile = zones.tiles[id] ?? {};
  return { kind: "laid", tone: toneOf(tile), lines: [...folded(nameOf(id)), [tile.level, sexSign(tile).trim(), stack.length > 1 && "●"].filter(Boolean).join(" ")].filter(Boolean) };
}

/** A name in at most two lines that fit a hex. */
function folded(name) {
  if (name.length <= 11) return [name];
  const cut = name.lastIndexOf(" ", 12);
  const [first, second] = cut > 0 ? [name.slice(0, cut), name.slice(cut + 1)] : [name.slice(0, 11), name.slice(11)];
  return [first, second.length > 12 ? `${second.slice(0, 11)}…` : second].filter(Boolean);
}

/** The tiles of a zoo in words, for whoever cannot see or read the map. */
function tiles(zones, at) {
  const laid = Object.entries(zones[`zoo_${at}`]);
  if (!laid.length) return null;
  const rows = laid.map(([space, stack]) => {
    const { tile: id } = stack.at(-1);
    const tile = zones.tiles[id] ?? {};
    const icons = (tile.icons ?? []).join(", ");
    return el("tr", {}, el("th", { scope: "row" }, space), el("td", {}, id ? `${nameOf(id)}${sexSign(tile)}` : "open area"), el("td", {}, tile.level ?? ""), el("td", {}, icons));
  });
  return more(`tiles_${at}`, [`${count(laid.length, "tile")} in words`, unseen(` of ${who(zones, at)}`)],
    el("table", { class: "listing" }, el("thead", {}, el("tr", {}, ["space", "tile", "level", "icons"].map((label) => el("th", { scope: "col" }, label)))), el("tbody", {}, rows)));
}

// ---- events

/** How a match ends, in words. */
export const reasons = { c1: "four objectives supported", c2: "a full map", c3: "the pile is empty", last_seat: "nobody else is left", won: "the solo game is won", lost: "the solo game is lost" };
const VIA = { turn: "", action: " as the action", effect: " by an effect" };
const all = (ids) => ids.map(nameOf).join(", ");
const waits = (verb) => (e, z) => `${sentence(effect(e.what))} (${source(z, e)}) ${verb}.`;

function placed(e, z) {
  const how = e.card === null ? "" : ` with the ${e.card} card (level ${e.level})`;
  return `${does(z, e.seat, "play")} ${nameOf(e.tile)} on ${e.space}${e.covered ? ` on top of ${nameOf(e.covered)}` : ""}${how}.`;
}

function over(e, z) {
  const why = e.reason.split("+").map((reason) => reasons[reason] ?? words(reason)).join(" and ");
  const points = e.sheets.map((sheet, at) => `${who(z, at)} ${sheet.total}`).join(", ");
  return `The match is over, ${why}. Points: ${points}. Winner: ${e.winners.map((seat) => who(z, seat)).join(" and ") || "nobody"}.`;
}

const LINES = {
  match_started: (e, z) => `${does(z, e.first_seat, "begin")}. Objectives: ${e.objectives.map((name) => words(name.replace(/^ob_/, ""))).join(", ")}.`,
  turn_started: (e, z) => `Turn ${e.turn_no}: ${who(z, e.seat)}${e.final_round ? ", the last one" : ""}, range ${e.range}.`,
  tile_taken: (e, z) => `${does(z, e.seat, "take")} ${nameOf(e.tile)} from position ${e.position}${VIA[e.via] ?? ""}.`,
  tiles_drawn: (e, z) => `${does(z, e.seat, "draw")} ${count(e.count, "tile")}.`,
  tile_placed: placed,
  open_area_placed: (e, z) => `${does(z, e.seat, "put")} an open area on ${e.space} from the ${e.source}.`,
  placement_bonus: (e, z) => `${does(z, e.seat, "get")} the bonus of ${e.space}.`,
  markers_changed: (e, z) => `${does(z, e.seat, e.delta > 0 ? "gain" : "pay")} ${Math.abs(e.delta)} ${words(e.marker)} (${words(e.reason)}).`,
  pair_completed: (e, z) => `${does(z, e.seat, "complete")} the pair ${words(e.species)}.`,
  effect_pending: () => "", effect_resolved: waits("is carried out"), effect_declined: waits("is declined"), effect_skipped: waits("cannot be carried out"),
  tiles_revealed: (e, z) => `${does(z, e.seat, "turn")} up ${all(e.tiles) || "nothing"}.`,
  tile_kept: (e, z) => `${does(z, e.seat, "keep")} ${nameOf(e.tile)}.`,
  tiles_discarded: (e) => `Discarded (${words(e.reason)}): ${all(e.tiles)}.`,
  tile_relocated: (e, z) => `${does(z, e.seat, "move")} ${e.tile === "open area" ? e.tile : nameOf(e.tile)} from ${e.from} to ${e.to}.`,
  card_moved: (e) => `The ${e.card} card moves from slot ${e.from_slot} to slot 1.`,
  objective_supported: (e, z) => `${does(z, e.seat, "support")} ${words(e.objective.replace(/^ob_/, ""))} with ${e.achievement} icons${e.spent ? `, paying ${e.spent}` : ""}.`,
  card_upgraded: (e, z) => `${does(z, e.seat, "turn")} the ${e.card} card to side 2.`,
  optional_finished: () => "", display_slid: () => "",
  display_filled: (e) => `New on the display: ${all(e.tiles)}.`,
  pile_reshuffled: (e) => `The discard pile becomes a new pile of ${count(e.count, "tile")}.`,
  end_triggered: (e, z) => `${does(z, e.seat, "set")} off the final round: ${e.reasons.map((reason) => reasons[reason] ?? words(reason)).join(" and ")}.`,
  end_marker_taken: (e, z) => `${does(z, e.seat, "take")} the end marker of ${count(e.points, "point")}.`,
  solo_marker_turned: (e) => `A solo marker turns; ${e.left} left.`,
  seat_conceded: (e, z) => `${who(z, e.seat)} has conceded.`,
  seat_abandoned: (e, z) => `${who(z, e.seat)} is gone.`,
  match_ended: over,
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
