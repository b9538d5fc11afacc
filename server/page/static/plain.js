// Any table, zone by zone, and any event, word by word: for games that bring no table.js.

import { board, el, facts, words } from "/page/pieces.js";
import { inline, plainLine } from "/page/told.js";

const SHORT = 48;
const DEEP = 4;

/** Draw all zones of a view but the service's own. */
export function table(zones) {
  const names = Object.keys(zones).filter((name) => name !== "room");
  return board(el("div", { class: "zones" }, names.map((name) =>
    el("section", { class: "zone" }, el("h3", {}, words(name)), value(zones[name], 0)))));
}

/** Tell an event by its fields. */
export const line = (event) => plainLine(event);

function value(found, depth) {
  const text = inline(found);
  if (found === null || typeof found !== "object" || depth >= DEEP || text.length <= SHORT) return el("p", { class: "value" }, text);
  if (!Array.isArray(found)) return facts(Object.entries(found).map(([name, part]) => [words(name), value(part, depth + 1)]));
  if (found.every((part) => part === null || typeof part !== "object")) return el("p", { class: "value" }, text);
  return el("ul", { class: "row" }, found.map((part) => el("li", { class: "card" }, value(part, depth + 1))));
}
