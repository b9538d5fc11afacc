// What an operator watches: figures of this host's workers, asked for every two seconds with the operator's token.

import { Chart } from "/page/charts.js";

const EVERY_MS = 2_000;
const KEY = "sanctum.operator";
const $ = (id) => document.getElementById(id);

/** Per second between two figures. */
const rate = (name) => (now, was, s) => [Math.max(0, now[name] - was[name]) / s];
/** p50 and p99 of what was measured between two figures, in ms. */
const times = (name) => (now, was) => [0.5, 0.99].map((share) => quantile(now[name], was[name], share));

/** [name, unit, lines, values] of each chart. */
const CHARTS = [
  ["Sockets", "", ["open"], (now) => [now.sockets]],
  ["Rooms", "", ["open", "in play", "unlisted"], ({ rooms }) => [rooms.open, rooms.in_play, rooms.unlisted]],
  ["Choices", "a second", ["choices"], rate("choices")],
  ["Frames delivered", "a second", ["frames"], rate("deliveries")],
  ["Commit", "ms", ["p50", "p99"], times("commit")],
  ["Delivery", "ms", ["p50", "p99"], times("delivery")],
  ["Conflicts", "a second", ["conflicts"], rate("conflicts")],
  ["Resumes", "a second", ["resumes", "by snapshot"], (now, was, s) => [...rate("resumes")(now, was, s), ...rate("resyncs")(now, was, s)]],
  ["Slow closes", "a second", ["closed"], rate("slow_closes")],
];

/** Estimate a quantile (ms) from what two cumulative histograms differ by; null if nothing happened. */
export function quantile(now, was, share) {
  const counts = now.counts.map((count, at) => count - was.counts[at]);
  const wanted = counts.at(-1) * share;
  if (!(counts.at(-1) > 0)) return null;
  const at = counts.findIndex((count) => count >= wanted);
  if (at >= now.upto_us.length) return now.upto_us.at(-1) / 1_000;
  const [low, below] = at ? [now.upto_us[at - 1], counts[at - 1]] : [0, 0];
  const part = (wanted - below) / Math.max(1, counts[at] - below);
  return (low + part * (now.upto_us[at] - low)) / 1_000;
}

/** Whether a later figure goes on from an earlier one: a service that was started anew counts from nought. */
const goesOn = (now, was) => was && now.commits >= was.commits && now.deliveries >= was.deliveries && now.commit.counts.every((n, at) => n >= was.commit.counts[at]);

export class Operator {
  constructor() {
    this.charts = CHARTS.map(([name, unit, lines]) => new Chart(name, unit, lines));
    const token = sessionStorage.getItem(KEY);
    this.show(false);
    if (token) this.begin(token);
  }

  stop() {
    this.token = null;
    clearTimeout(this.timer);
  }

  begin(token) {
    this.stop();
    this.token = token;
    this.was = null;
    $("operator-state").textContent = "Asking …";
    this.ask();
  }

  forget(text) {
    this.stop();
    sessionStorage.removeItem(KEY);
    this.show(false);
    $("operator-state").textContent = text;
  }

  show(shown) {
    $("token").hidden = shown;
    $("forget").hidden = !shown;
    $("charts").replaceChildren(...(shown ? this.charts.map(({ element }) => element) : []));
    this.shown = shown;
  }

  async ask() {
    const { token } = this;
    let answer = null;
    try {
      answer = await fetch("/v1/operator/figures", { headers: { authorization: `Bearer ${token}` } });
    } catch { /* told below */ }
    if (token !== this.token) return;
    if (answer?.ok) this.take(await answer.json(), token);
    else if (answer && [401, 403].includes(answer.status)) return this.forget((await answer.json()).detail);
    else $("operator-state").textContent = "The service does not answer just now; trying again.";
    this.timer = setTimeout(() => this.ask(), EVERY_MS);
  }

  take(now, token) {
    if (!this.shown) {
      sessionStorage.setItem(KEY, token);
      this.show(true);
      $("operator-title").focus();
    }
    $("operator-state").textContent = "Of this host’s workers; rooms of the whole store. Asked for every two seconds.";
    if (goesOn(now, this.was)) {
      const s = Math.max(0.001, (now.at - this.was.at) / 1_000);
      CHARTS.forEach(([, , , values], at) => this.charts[at].add(now.at, values(now, this.was, s)));
    }
    this.was = now;
  }
}
