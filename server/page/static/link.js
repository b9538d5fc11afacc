// The connection of somebody who looks on: greets, follows one room, folds its frames, and comes back after a cut.
// The table of states is docs/protocol/clients.md. Knows no page.

const WIRE = "sanctum.v1.json";
const FIRST_MS = 500;
const MOST_MS = 30_000;
const STEADY_MS = 10_000;
const PING_MS = 20_000;
const DEAD_MS = 60_000;
const STANDARD = new Set([1001, 1005, 1006, 1011, 1012, 1013]);

/** Whether a client comes back after this close code. */
export const comesBack = (code) => STANDARD.has(code) || (code >= 4500 && code < 4600);

/** Milliseconds to wait before the n-th try (1, 2, …): between half and the whole of a doubling pause. */
export const pause = (failures, chance = Math.random()) => {
  const whole = Math.min(MOST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return whole * (0.5 + chance / 2);
};

/** @typedef {{room: string, code?: string, token?: string}} Aim  what is watched, and as whom (no token: anonymous) */

export class Link {
  /**
   * @param {Aim} aim
   * @param {(kind: string, message: object) => void} tell  kinds: state, frame, said, presence, ended, rematched, refused, early.
   *   `state` tells {state, text}: offline, greeting, online, stopped. `frame` is told after it was folded.
   *   `early`: the room is followed, and nothing of it is due to spectators yet.
   */
  constructor(aim, tell) {
    Object.assign(this, { aim, tell, zones: {}, v: -1, tip: "", failures: 0, joins: new Map(), asked: 0 });
    this.mark = Math.random().toString(36).slice(2, 10);
    this.skew = 0; // service time minus this device's
    this.stopped = false;
    this.hurry = () => this.timer && this.open();
    addEventListener("online", this.hurry);
    this.open();
  }

  /** Service time in milliseconds. */
  now() {
    return Date.now() + this.skew;
  }

  stop() {
    this.stopped = true;
    removeEventListener("online", this.hurry);
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    this.socket?.close(1000);
  }

  open() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.state("greeting", this.v < 0 ? "Connecting …" : "Connecting again …");
    const socket = (this.socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/v1/ws`, WIRE));
    this.joins.clear();
    this.joining = false;
    this.heard = Date.now();
    socket.onopen = () => this.greet();
    socket.onmessage = ({ data }) => socket === this.socket && !this.stopped && this.take(JSON.parse(data));
    socket.onclose = ({ code, reason }) => socket === this.socket && this.closed(code, reason);
    clearInterval(this.pulse);
    this.pulse = setInterval(() => this.beat(), PING_MS);
  }

  /** Make a command's id. */
  name(what) {
    return `${this.mark}${(this.asked += 1)}.${what}`;
  }

  greet() {
    this.opened = Date.now();
    this.send({ t: "hello", id: this.name("hello"), client: "page", ...(this.aim.token ? { token: this.aim.token } : {}) });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Ask for the time, which also shows that the line lives. */
  beat() {
    if (Date.now() - this.heard > DEAD_MS) {
      const { socket } = this;
      this.socket = null;
      socket.close();
      this.closed(1006, "");
      return;
    }
    this.pinged = Date.now();
    this.send({ t: "ping", id: this.name("ping"), room: this.aim.room });
  }

  /** Follow the room from where the view stands; never twice at once. */
  join() {
    if (this.joining) return;
    this.joining = true;
    const since = this.v >= 0 ? { since: { v: this.v, tip: this.tip } } : {};
    const code = this.aim.code ? { code: this.aim.code } : {};
    const message = { t: "join", id: this.name("join"), room: this.aim.room, role: "spectator", ...since, ...code };
    this.joins.set(message.id, message);
    this.send(message);
  }

  take(message) {
    this.heard = Date.now();
    const act = { welcome: this.welcomed, ok: this.accepted, error: this.refused, frame: this.fold, tip: this.compare,
      draining: this.drained }[message.t];
    if (act) act.call(this, message);
    else if (["said", "presence", "ended", "rematched"].includes(message.t)) this.tell(message.t, message);
  }

  welcomed({ at }) {
    this.skew = at - Date.now();
  }

  accepted({ id, at, v }) {
    if (id.endsWith(".hello")) {
      this.state("online", "Live");
      this.beat();
      this.join();
    } else if (at !== undefined) {
      this.skew = at + (Date.now() - this.pinged) / 2 - Date.now();
    } else if (this.joins.delete(id)) {
      this.joining = false;
      if (v === undefined && this.v < 0) this.tell("early", {});
    }
  }

  refused(error) {
    const again = this.joins.get(error.id);
    const greeting = error.id?.endsWith(".hello");
    const { socket } = this;
    const later = (act) => setTimeout(() => socket === this.socket && act(), error.retry_after_ms ?? FIRST_MS);
    if (greeting && error.retryable) {
      later(() => this.greet());
    } else if (again && error.retryable) {
      later(() => this.send(again));
    } else if (again || greeting || error.id === null) {
      this.tell("refused", error);
      this.state("stopped", error.message);
      this.stop();
    }
  }

  fold(frame) {
    if (frame.why === undefined && frame.v !== this.v + 1) {
      if (frame.v > this.v || (frame.v === this.v && frame.tip !== this.tip)) this.join(); // a hole
      return;
    }
    this.zones = frame.why === undefined ? { ...this.zones, ...frame.zones } : frame.zones;
    this.v = frame.v;
    this.tip = frame.tip;
    this.tell("frame", frame);
  }

  compare({ v, tip }) {
    if (v !== this.v || tip !== this.tip) this.join();
  }

  drained({ retry_after_ms }) {
    this.announced = retry_after_ms;
  }

  closed(code, reason) {
    clearInterval(this.pulse);
    if (this.stopped) return;
    if (!comesBack(code)) {
      this.state("stopped", reason || `The connection was closed (${code}).`);
      this.stop();
      return;
    }
    this.failures = this.opened && Date.now() - this.opened > STEADY_MS ? 1 : this.failures + 1;
    this.opened = 0;
    const wait = code === 1012 && this.announced ? this.announced * (1 + Math.random() / 2) : pause(this.failures);
    this.announced = 0;
    this.state("offline", `The line is cut; trying again in ${Math.max(1, Math.round(wait / 1_000))} s.`);
    this.timer = setTimeout(() => this.open(), wait);
  }

  state(state, text) {
    this.tell("state", { state, text });
  }
}
