// One room as a spectator sees it: seats, table, events, talk, result. Draws by the game's own table.js.

import { Link } from "/page/link.js";
import { seatItems, timeOf } from "/page/clocks.js";
import { count, el, sentence, who, words } from "/page/pieces.js";
import * as plain from "/page/plain.js";
import { plainLine, roomLine } from "/page/told.js";

const LINES = 300;
const TICK_MS = 250;
const WHY = { trimmed: "What happened meanwhile is not kept any more; this is how the table stands.", lost: "The service lost the latest moves; the table stands as it was before.",
  slow: "This page was too slow; some events were left out.", rewound: "The match was taken back to its last checkpoint." };
const $ = (id) => document.getElementById(id);

export class Watch {
  /** @param {import("/page/link.js").Aim} aim @param {(game: string) => string} titleOf  a game's title */
  constructor(aim, titleOf) {
    Object.assign(this, { aim, titleOf, waiting: [], clocks: [], here: null, queue: [], dirty: false, paused: false, drawing: plain });
    this.heard = new Set();
    for (const id of ["table", "log", "seats", "watch-facts"]) $(id).replaceChildren();
    $("result").hidden = true;
    $("watch-title").textContent = `Room ${aim.room}`;
    this.setPaused(false);
    this.link = new Link(aim, (kind, message) => this[kind](message));
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  stop() {
    clearInterval(this.timer);
    this.link.stop();
  }

  /** Stand still, or catch up; what happens meanwhile is kept. */
  setPaused(paused) {
    this.paused = paused;
    $("pause").setAttribute("aria-pressed", String(paused));
    $("pause").textContent = paused ? "Go on" : "Pause";
    if (this.link) this.draw();
  }

  // ---- what the link tells

  state({ state, text }) {
    $("watch-state").textContent = text;
    $("watch-state").className = `state ${state}`;
  }

  refused({ code }) {
    if (code !== "not_found") return;
    $("table").replaceChildren(el("p", { class: "quiet" }, "There is no such room, or it is private and the code is missing or wrong. Rooms that are over are kept for a week."));
  }

  frame(frame) {
    if (frame.why !== undefined && frame.why !== "joined") this.note(WHY[frame.why] ?? frame.why);
    this.waiting = frame.waiting_for ?? [];
    this.clocks = frame.clocks ?? [];
    if (this.game !== this.link.zones.room?.game) this.load(this.link.zones.room.game);
    for (const event of frame.events ?? []) this.push({ event, zones: this.link.zones, kind: "" });
    this.draw();
  }

  said(message) {
    if (this.heard.has(message.id)) return;
    this.heard.add(message.id);
    this.push({ name: message.name, text: message.text, kind: "talk" });
  }

  presence({ here, spectators }) {
    Object.assign(this, { here, spectators });
    this.draw();
  }

  early() {
    $("table").replaceChildren(el("p", { class: "quiet" }, "Spectators see this room later than it is played; nothing is due yet."));
  }

  rematched({ next }) {
    this.next = next;
    this.draw();
  }

  ended(message) {
    this.over = message;
    this.draw();
  }

  showResult(message) {
    if (!$("result").hidden) return;
    const winners = (message.winners ?? []).map((seat) => who(this.link.zones, seat)).join(" and ");
    const reason = this.drawing.reasons?.[message.reason] ?? words(message.reason);
    const how = `${sentence(reason)}${message.status === "finished" ? "" : ` (${message.status})`}.`;
    const replay = message.replay && el("a", { href: message.replay }, "Replay");
    $("result").replaceChildren(winners ? `${winners} ${message.winners.length > 1 ? "have" : "has"} won. ${how} ` : `The match is over. ${how} `, replay ?? "");
    $("result").hidden = false;
  }

  /** Say where the same people play again. */
  showNext(next) {
    if ($("next")) return;
    $("result").append(" They play again: ", el("a", { id: "next", href: `#room=${encodeURIComponent(next)}` }, `room ${next}`), ".");
  }

  showFacts({ plan }) {
    const late = plan?.delay_s ? `shown ${plan.delay_s} s late` : "";
    const facts = [this.spectators === undefined ? "" : count(this.spectators, "spectator"), late].filter(Boolean).join(", ");
    if ($("watch-facts").textContent !== facts) $("watch-facts").textContent = facts;
  }

  // ---- drawing

  async load(game) {
    this.game = game;
    this.loading = true;
    $("watch-title").textContent = `${this.titleOf(game)}, room ${this.aim.room}`;
    document.title = `${this.titleOf(game)} · Sanctum`;
    try {
      this.drawing = await import(`/games/${encodeURIComponent(game)}/table.js`);
    } catch (fault) {
      console.warn("the game's drawing cannot be loaded", fault);
    }
    this.loading = false;
    this.draw();
  }

  note(text) {
    this.push({ text, kind: "note" });
  }

  push(entry) {
    this.queue.push({ v: this.link.v, ...entry });
    if (this.queue.length > LINES) this.queue.shift();
    this.draw();
  }

  draw() {
    if (this.dirty || this.paused) return;
    this.dirty = true;
    requestAnimationFrame(() => {
      this.dirty = false;
      if (!this.paused && !this.loading && !this.link.stopped) this.paint();
    });
  }

  paint() {
    const { zones } = this.link;
    const { room } = zones;
    this.write();
    if (this.over) this.showResult(this.over);
    if (this.over && this.next) this.showNext(this.next);
    if (room === undefined) return;
    this.showFacts(room);
    $("seats").replaceChildren(...seatItems({ zones, waiting: this.waiting, clocks: this.clocks, here: this.here }));
    this.tick();
    const begun = Object.keys(zones).length > 1;
    const drawn = begun ? attempt(() => this.drawing.table(zones, room), () => plain.table(zones)) : el("p", { class: "quiet" }, "The match has not begun yet.");
    redraw($("table"), drawn);
  }

  told(event, zones) {
    return sentence(attempt(() => roomLine(event, zones) ?? this.drawing.line(event, zones), () => plainLine(event)));
  }

  /** Write what has happened since; stay at the end unless the reader has scrolled up. */
  write() {
    const log = $("log");
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    for (const { v, name, text, kind, event, zones } of this.queue.splice(0)) {
      const told = event ? this.told(event, zones) : text;
      if (told) log.append(el("p", { class: `line ${kind}` }, el("span", { class: "v", "aria-hidden": "true" }, v),
        name !== undefined && el("b", {}, el("bdi", {}, name), ": "), el("span", {}, told)));
    }
    while (log.childElementCount > LINES) log.firstElementChild.remove();
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  tick() {
    if (this.paused) return;
    for (const shown of document.querySelectorAll("#seats .time")) {
      const clock = this.clocks.find((one) => one.seat === Number(shown.dataset.seat));
      const text = timeOf(clock, this.link.now());
      if (shown.textContent !== text) shown.textContent = text;
    }
  }
}

/** Put a new drawing in place of the old one; what was opened in it (`data-keep`) stays open, and focus stays there. */
function redraw(place, drawn) {
  const opened = new Set([...place.querySelectorAll("details[open][data-keep]")].map((one) => one.dataset.keep));
  const focused = place.contains(document.activeElement) && document.activeElement.closest("[data-keep]")?.dataset.keep;
  place.replaceChildren(drawn);
  for (const one of place.querySelectorAll("details[data-keep]")) {
    one.open = opened.has(one.dataset.keep);
    if (one.dataset.keep === focused) one.querySelector("summary").focus({ preventScroll: true });
  }
}

/** Let a game's drawing fail without taking the page with it. */
function attempt(draw, otherwise) {
  try {
    return draw();
  } catch (fault) {
    console.warn("the game's drawing failed", fault);
    return otherwise();
  }
}
