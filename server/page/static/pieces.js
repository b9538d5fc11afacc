// What tables are drawn with: elements, cards, piles, counters, meters, dice. A game's table.js may import this module.
// Text is only ever set as text; nothing here reads markup.

const SMALL = new Set(["a", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to"]);
const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Options are attributes; `class` too; one that is null, false or undefined is left out.
 * @param {string} tag
 * @param {Record<string, unknown>} [options]
 * @param {...(Node | string | number | null | undefined | false)} children  strings become text
 * @returns {HTMLElement}
 */
export const el = (tag, options = {}, ...children) => dress(document.createElement(tag), options, children);

/** Make an SVG element; as `el`. @returns {SVGElement} */
export const svg = (tag, options = {}, ...children) => dress(document.createElementNS(SVG, tag), options, children);

function dress(element, options, children) {
  for (const [name, value] of Object.entries(options)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false).map(node));
  return element;
}

const node = (child) => (child instanceof Node ? child : String(child));

/** An identifier as words: "reaction_window" → "reaction window". */
export const words = (id) => String(id).replace(/[_-]+/g, " ").trim();

/** Words with a capital first letter. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A card's id as its name: "bede_the_venerable" → "Bede the Venerable". */
export const title = (id) =>
  words(id).split(" ").map((word, at) => (at && SMALL.has(word) ? word : sentence(word))).join(" ");

/** "1 card", "2 cards". */
export const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** "+2", "−1", "+0". */
export const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);

/** Ids of cards, or cards as zones and events show them, as a list of names. */
export const titles = (cards) => cards.map((card) => title(card.card ?? card)).join(", ");

/** The name of a seat, with its number where two are called the same. Isolated, so that no script runs into another. */
export function who(zones, seat) {
  const seats = zones.room?.seats ?? [];
  const name = seats[seat]?.name;
  if (!name) return `Seat ${seat + 1}`;
  const twice = seats.filter((other) => other.name === name).length > 1;
  return `\u2068${name}\u2069${twice ? ` (seat ${seat + 1})` : ""}`;
}

/** "Ada draws". The verb in its plain form. */
export const does = (zones, seat, verb) => `${who(zones, seat)} ${verb}${/(s|sh|ch)$/.test(verb) ? "es" : "s"}`;

/** "Ada’s". */
export const whose = (zones, seat) => `${who(zones, seat)}’s`;

/**
 * A card. `down`: its back only. `tags`: short words below; `pips`: letters in discs; `tone`: a class of its own.
 * @param {{title?: string, note?: string, tags?: string[], pips?: Node[], down?: boolean, spent?: boolean, strong?: boolean, tone?: string}} card
 */
export function card({ title: name = "Face down", note, tags = [], pips = [], down, spent, strong, tone = "" }) {
  const kinds = ["card", down && "down", spent && "spent", strong && "strong", tone].filter(Boolean).join(" ");
  return el("div", { class: kinds },
    el("span", { class: "name" }, name),
    note && el("span", { class: "note" }, note),
    pips.length > 0 && el("span", { class: "pips" }, pips),
    tags.map((tag) => el("span", { class: "tag" }, tag)),
  );
}

/** A letter in a disc, read as `label`; `tone` 0 to 7 is its colour. */
export const pip = (letter, label, tone = 0) =>
  el("span", { class: `pip tone${tone}`, title: label }, el("span", { "aria-hidden": "true" }, letter), unseen(`${label} `));

/** Text for screen readers alone. */
export const unseen = (text) => el("span", { class: "unseen" }, text);

/** Cards (or anything) beside each other, as a list; `empty` is said where there are none. */
export const row = (items, empty = "none") =>
  items.length ? el("ul", { class: "row" }, items.map((item) => el("li", {}, item))) : el("p", { class: "quiet" }, empty);

/** A labelled part of a table. `level`: of its heading. */
export const part = (label, ...children) => el("div", { class: "part" }, el("h4", {}, label), children);

/** Labels and values, as a description list. @param {[string, Node | string | number | null | undefined][]} pairs */
export const facts = (pairs) =>
  el("dl", { class: "facts" },
    pairs.filter(([, value]) => value !== null && value !== undefined)
      .map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))));

/** A pile of which only the size is known, or the latest card too. */
export const pile = (label, n, top) =>
  el("div", { class: `pile${n ? "" : " empty"}` }, el("b", {}, n), el("span", {}, label), top && el("small", {}, title(top)));

/** So many of so many, in words and as marks. */
export const meter = (label, n, most, text = `${n} of ${most}`) =>
  el("div", { class: "meter" }, label && el("span", {}, label),
    el("span", { class: "marks", "aria-hidden": "true" },
      Array.from({ length: Math.min(most, 30) }, (_, at) => el("i", { class: at < n ? "on" : "off" }))),
    el("b", {}, text));

/** Dice; those that do not count are pale. @param {number[]} values @param {number[]} [kept] */
export function dice(values, kept = values) {
  const left = [...kept];
  const drawn = values.map((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return el("i", { class: at >= 0 ? "die" : "die spent" }, value);
  });
  return el("span", { class: "dice" }, drawn);
}

/** What may be opened: closed at first; `key` names it, so that it stays open when the table is drawn again. */
export const more = (key, label, ...children) => el("details", { "data-keep": key }, el("summary", {}, label), children);

/** One side of a table: whose it is, what is to be known of it, what lies there. `active`: whose turn it is. */
export const side = (name, { active = false, facts: pairs = [], tone = 0 }, ...children) =>
  el("section", { class: `side seat${tone}${active ? " active" : ""}` },
    el("h3", {}, el("bdi", {}, name), active && el("span", { class: "badge" }, "to move")), facts(pairs), children);

/** The line above a table: turn, phase. */
export const heading = (...children) => el("p", { class: "heading" }, children);

/** The whole table. */
export const board = (...children) => el("div", { class: "board" }, children);
