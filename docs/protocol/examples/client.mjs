// Plays a whole match of any game by picking among the options it is offered (npm install ws @msgpack/msgpack).
// node client.mjs http://localhost:8080 GAME [room=ID] [seat=N] [bot=NAME] [code=CODE]
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { decode, encode } from "@msgpack/msgpack";
import WebSocket from "ws";

const [url, name, ...rest] = process.argv.slice(2);
const wanted = Object.fromEntries(rest.map((argument) => argument.split("=", 2)));
const json = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
const { token } = await (await fetch(`${url}/v1/guests`, json)).json();
const game = await (await fetch(`${url}/v1/games/${name}`)).json();
const deck = game.brings_decks ? { deck: game.packs[0].decks[0] } : {};

const pending = new Map(); // commands without an answer: sent again, as they are, on the next connection
const state = { room: wanted.room, code: wanted.code, seat: wanted.seat && Number(wanted.seat), view: {}, chosen: 0 };
let failures = 0;

const between = (low, high) => low + Math.floor(Math.random() * (high - low + 1));

function picksFor({ shape, options = [], least = 1, most = 1 }) {
  if (shape === "number") return [between(least, most)];
  const shuffled = options.map((option) => [Math.random(), option]).sort((a, b) => a[0] - b[0]);
  const found = new Map(shuffled.map(([, { id, group }]) => [group || id, id])); // at most one of each group
  return [...found.values()].slice(0, between(least, Math.max(least, Math.min(most, found.size)))); // "order": all
}

function command(t, fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const message = { t, id: randomUUID(), ...Object.fromEntries(given) };
  pending.set(message.id, message);
  return [message];
}

function join(extra = {}) {
  return command("join", { room: state.room, seat: state.seat, code: state.code, since: state.since, ...extra });
}

function greeted() { // on every connection: follow the room from where the view stands, then what has no answer
  for (const [id, old] of pending) if (old.t === "join" && state.joined) pending.delete(id);
  const again = [...pending.values()];
  return [...(state.joined ? join() : []), ...again];
}

function take(message) {
  const asked = pending.get(message.id) ?? {};
  pending.delete(message.id);
  if (message.t === "ok" && asked.t === "create") {
    Object.assign(state, { room: message.room, code: message.code });
    return join(deck);
  }
  if (message.t === "ok" && asked.t === "join" && !state.joined) {
    Object.assign(state, { joined: true, seat: message.seat });
    return command("ready", { room: state.room, entropy: new Uint8Array(randomBytes(16)) });
  }
  if (message.t === "error" && !["stale_prompt", "wrong_status"].includes(message.code)) {
    throw new Error(`${asked.t}: ${JSON.stringify(message)}`);
  }
  if (message.t === "ended") state.ended = message;
  return message.t === "frame" ? fold(message) : [];
}

function fold({ why, v, tip, zones, prompt }) {
  const at = state.since?.v ?? -1;
  if (!why && v !== at + 1) return v <= at ? [] : join(); // a double, or a gap: ask for what is missing
  state.view = why ? zones : { ...state.view, ...zones };
  state.since = { v, tip };
  failures = 0;
  if (why === "lost") state.chosen = 0; // an answer may be lost with its version
  if (!prompt || prompt.id <= state.chosen) return [];
  state.chosen = prompt.id;
  return command("choose", { room: state.room, prompt: prompt.id, picks: picksFor(prompt) });
}

const talk = () => new Promise((closed, failed) => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`, ["sanctum.v1.msgpack"]);
  const hello = { t: "hello", id: randomUUID(), token, client: "example.mjs" };
  const send = (messages) => messages.forEach((message) => socket.send(encode(message)));
  socket.on("open", () => send([hello]));
  socket.on("error", () => {}); // "close" follows, with 1006
  socket.on("close", closed);
  socket.on("message", (raw) => {
    try {
      const message = decode(new Uint8Array(raw));
      const again = [pending.get(message.id) ?? hello];
      if (message.retryable) sleep(message.retry_after_ms ?? 500).then(() => send(again));
      else send(message.t === "ok" && message.id === hello.id ? greeted() : take(message));
      if (state.ended) socket.close(1000);
    } catch (fault) { failed(fault); }
  });
});

const others = wanted.bot ? { bot: wanted.bot, ...deck } : {};
const seats = Array.from({ length: game.seats[0] }, (_, place) => (place === (state.seat ?? 0) ? {} : others));
state.room ? join(deck) : command("create", { game: name, seats });
for (let code = 0; !state.ended; await sleep((0.5 + Math.random() / 2) * Math.min(30_000, 250 * 2 ** failures))) {
  code = await talk();
  if (++failures && code >= 4400 && code < 4500) throw new Error(`closed for good: ${code}`);
}
console.log(JSON.stringify(state.ended, ["room", "status", "reason", "winners"]));
