// The lists of public rooms, kept fresh. Rows stay the same elements, so that focus stays where it is.

import { count, el } from "/page/pieces.js";

const EVERY_MS = 4_000;
const PAGE = 50;
const $ = (id) => document.getElementById(id);

/** @type {Map<string, string>} */
const titles = new Map();

/** A game's title, or its name while the catalogue has not been read. */
export const titleOf = (game) => titles.get(game) ?? game;

/** Read the catalogue. Throws if it cannot be had. */
export async function readGames() {
  for (const { name, title } of (await read("/v1/games")).games) titles.set(name, title);
  $("count-games").textContent = titles.size;
}

async function read(path) {
  const answer = await fetch(path, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

export class Rooms {
  constructor() {
    this.stopped = false;
    this.run();
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  async run() {
    try {
      if (!titles.size) await readGames();
      if (!document.hidden) await Promise.all(["playing", "lobby"].map((status) => this.list(status)));
      say("");
    } catch {
      say("The service does not answer just now; trying again.");
    }
    if (!this.stopped) this.timer = setTimeout(() => this.run(), EVERY_MS);
  }

  async list(status) {
    const { rooms, next } = await read(`/v1/rooms?status=${status}&limit=${PAGE}`);
    if (this.stopped) return;
    $(`count-${status}`).textContent = next ? `${rooms.length}+` : rooms.length;
    $(status).hidden = !rooms.length;
    $(`${status}-none`).hidden = rooms.length > 0;
    fill($(status).tBodies[0], rooms);
  }
}

function say(text) {
  if ($("rooms-state").textContent !== text) $("rooms-state").textContent = text;
}

/** Bring a table's rows to what is listed now. */
function fill(body, rooms) {
  const kept = new Map([...body.rows].map((row) => [row.dataset.room, row]));
  for (const [at, room] of rooms.entries()) {
    const row = kept.get(room.room) ?? newRow(room);
    kept.delete(room.room);
    const text = seatsOf(room);
    if (row.cells[1].textContent !== text) row.cells[1].textContent = text;
    if (body.rows[at] !== row) body.insertBefore(row, body.rows[at] ?? null);
  }
  for (const row of kept.values()) row.remove();
}

function newRow(room) {
  const link = el("a", { href: `#room=${encodeURIComponent(room.room)}`, "aria-label": `Watch room ${room.room}` }, room.room);
  return el("tr", { "data-room": room.room }, el("th", { scope: "row" }, titleOf(room.game)), el("td"), el("td", {}, link));
}

function seatsOf({ status, seats }) {
  const names = seats.filter((seat) => seat.taken).map((seat) => `\u2068${seat.name}\u2069`);
  const free = seats.length - names.length;
  const waits = status === "lobby" && free ? `${count(free, "free seat")}` : "";
  return [names.join(", "), waits].filter(Boolean).join(" · ");
}
