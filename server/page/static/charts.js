// Small line charts in SVG, each with the table of its numbers.

import { el, svg, unseen } from "/page/pieces.js";

const [W, H, LEFT, BOTTOM] = [320, 110, 40, 16];
const KEPT = 90;
const LISTED = 12;

/** A number as a label: 0.25, 3, 1.2k. */
export function short(n) {
  if (n === null || n === undefined) return "–";
  if (n >= 10_000) return `${Math.round(n / 1_000)}k`;
  if (n >= 1_000) return `${(n / 1_000).toFixed(1)}k`;
  if (n >= 100 || Number.isInteger(n)) return String(Math.round(n));
  return n >= 10 ? n.toFixed(1) : n.toFixed(2);
}

/** The next round number at or above. */
function ceiling(n) {
  if (n <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].find((step) => step * power >= n) * power;
}

export class Chart {
  /** @param {string} name @param {string} unit @param {string[]} series  names of its lines */
  constructor(name, unit, series) {
    Object.assign(this, { name, unit, series, points: [] });
    this.lines = series.map((_, at) => svg("path", { class: `stroke line${at}` }));
    this.top = svg("text", { x: LEFT - 5, y: 12, "text-anchor": "end" });
    this.drawing = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${name}: nothing yet` },
      svg("path", { class: "axis", d: `M${LEFT} 8V${H - BOTTOM}H${W}M${LEFT} 8H${W}` }), this.top,
      svg("text", { x: LEFT - 5, y: H - BOTTOM, "text-anchor": "end" }, "0"),
      svg("text", { x: LEFT, y: H - 3 }, "3 min ago"), svg("text", { x: W, y: H - 3, "text-anchor": "end" }, "now"), this.lines);
    this.latest = el("span", { class: "latest" });
    this.rows = el("tbody");
    this.numbers = el("details", {}, el("summary", {}, "Numbers", unseen(` of ${name}`)),
      el("table", { class: "numbers" }, el("thead", {}, el("tr", {}, ["time", ...series].map((label) => el("th", { scope: "col" }, label)))), this.rows));
    this.numbers.addEventListener("toggle", () => this.list());
    const legend = series.length > 1 && el("span", { class: "legend" }, series.map((label, at) => el("span", { class: `key line${at}` }, label)));
    this.element = el("figure", {}, el("figcaption", {}, el("b", {}, name), this.latest, legend), this.drawing, this.numbers);
  }

  /** @param {number} at  ms since 1970 @param {(number | null)[]} values  one a line; null: nothing to tell */
  add(at, values) {
    this.points.push({ at, values });
    if (this.points.length > KEPT) this.points.shift();
    const told = values.map(short).join(" / ");
    this.latest.textContent = `${told}${this.unit && ` ${this.unit}`}`;
    this.drawing.setAttribute("aria-label", `${this.name}: now ${this.series.map((label, n) => `${label} ${short(values[n])}`).join(", ")} ${this.unit}`);
    this.draw();
    this.list();
  }

  draw() {
    const highest = ceiling(Math.max(0, ...this.points.flatMap(({ values }) => values.map((value) => value ?? 0))));
    this.top.textContent = short(highest);
    const x = (n) => W - ((this.points.length - 1 - n) * (W - LEFT)) / (KEPT - 1);
    const y = (value) => H - BOTTOM - (value / highest) * (H - BOTTOM - 8);
    this.lines.forEach((path, at) => {
      let pen = "M";
      const steps = this.points.map(({ values }, n) => {
        if (values[at] === null) return (pen = "M") && "";
        const step = `${pen}${x(n).toFixed(1)} ${y(values[at]).toFixed(1)}`;
        pen = "L";
        return step;
      });
      path.setAttribute("d", steps.join("") || "M0 0");
    });
  }

  list() {
    if (!this.numbers.open) return;
    this.rows.replaceChildren(...this.points.slice(-LISTED).reverse().map(({ at, values }) =>
      el("tr", {}, el("th", { scope: "row" }, new Date(at).toLocaleTimeString()), values.map((value) => el("td", {}, short(value))))));
  }
}
