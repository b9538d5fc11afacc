// The page: which of its three views is shown follows from the address behind "#": rooms, room=ID, operator.

import { Operator } from "/page/operator.js";
import { readGames, Rooms, titleOf } from "/page/rooms.js";
import { Watch } from "/page/watch.js";

const VIEWS = ["rooms", "watch", "operator"];
const $ = (id) => document.getElementById(id);

let shown = null; // what has to be stopped before another view is shown
let door = null; // the code of a private room, and the guest's token that goes with it; never in the address

/** Which view an address means. @returns {[string, string]} */
function read(hash) {
  if (hash === "#operator") return ["operator", ""];
  const room = new URLSearchParams(hash.slice(1)).get("room");
  return room ? ["watch", room] : ["rooms", ""];
}

async function show() {
  const [view, room] = read(location.hash);
  shown?.stop();
  shown = null;
  for (const name of VIEWS) $(name).hidden = name !== view;
  for (const [id, name] of [["to-rooms", "rooms"], ["to-operator", "operator"]]) {
    $(id).toggleAttribute("aria-current", name === view);
    if (name === view) $(id).setAttribute("aria-current", "page");
  }
  document.title = { rooms: "Sanctum", watch: `Room ${room} · Sanctum`, operator: "Figures · Sanctum" }[view];
  if (view === "rooms") shown = new Rooms();
  if (view === "operator") shown = new Operator();
  if (view === "watch") await watch(room);
}

async function watch(room) {
  const hash = location.hash;
  await readGames().catch(() => {}); // the room is shown all the same, by the game's name
  if (location.hash !== hash) return;
  const aim = door?.room === room ? door : { room };
  shown = new Watch(aim, titleOf);
}

/** Become a guest, for a private room is shown to accounts alone. @returns {Promise<string>} a token */
async function guest() {
  const answer = await fetch("/v1/guests", { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail || body.title);
  return body.token;
}

$("find").addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(event.target);
  const room = String(fields.get("room")).trim();
  const code = String(fields.get("code")).trim();
  try {
    door = code ? { room, code, token: await guest() } : null;
  } catch (fault) {
    $("rooms-state").textContent = `The room cannot be watched: ${fault.message}`;
    return;
  }
  event.target.reset();
  location.hash = `#room=${encodeURIComponent(room)}`;
});

$("token").addEventListener("submit", (event) => {
  event.preventDefault();
  const token = String(new FormData(event.target).get("token")).trim();
  event.target.reset();
  shown?.begin?.(token);
});

$("forget").addEventListener("click", () => {
  shown?.forget?.("The token is forgotten.");
  document.querySelector("#token input").focus();
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // its address would name no view
  $("main").focus();
});

$("pause").addEventListener("click", () => shown?.setPaused?.(!shown.paused));

addEventListener("hashchange", async () => {
  await show();
  document.querySelector(`#${read(location.hash)[0]}-title`).focus();
});

show();
