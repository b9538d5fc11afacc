// Who sits at the table, whose move it is, and how much time is left, by service time.

import { el, words } from "/page/pieces.js";

/** A time as people read it: "1:05", "2:00:00", "9 s". */
export function span(ms) {
  const s = Math.max(0, Math.ceil(ms / 1_000));
  if (s < 60) return `${s} s`;
  const [h, m, rest] = [Math.floor(s / 3600), Math.floor(s / 60) % 60, String(s % 60).padStart(2, "0")];
  return h ? `${h}:${String(m).padStart(2, "0")}:${rest}` : `${m}:${rest}`;
}

/** Say how a seat's time stands; "" if nothing runs and nothing is kept. @param {object | undefined} clock */
export function timeOf(clock, now) {
  if (!clock) return "";
  const away = clock.lost_at ? `away, lost in ${span(clock.lost_at - now)}` : "";
  if (clock.deadline === undefined) return [away, clock.bank === undefined ? "" : `${span(clock.bank)} kept`].filter(Boolean).join(", ");
  const left = Math.max(0, clock.deadline - now);
  const fromBank = !clock.free && clock.bank > 0 && left < clock.bank ? " of the bank" : "";
  return [`${span(left)}${fromBank}`, away].filter(Boolean).join(", ");
}

/** Seats as list items. @param {{zones: object, waiting: object[], clocks: object[], here: number[] | null}} at */
export function seatItems({ zones, waiting, clocks, here }) {
  const over = !["lobby", "playing"].includes(zones.room?.status);
  return (zones.room?.seats ?? []).map((seat) => {
    const asked = waiting.find((one) => one.seat === seat.seat);
    const clock = !over && clocks.find((one) => one.seat === seat.seat);
    const gone = !over && ( seat.away || (here && seat.taken && !seat.bot && !here.includes(seat.seat)));
    const marks = [seat.bot && "bot", gone && "away", zones.room.status === "lobby" && (seat.ready ? "ready" : seat.taken && "not ready")];
    return el("li", { class: `seat seat${seat.seat}${asked ? " asked" : ""}` },
      el("bdi", { class: "name" }, seat.name || (seat.taken ? `Seat ${seat.seat + 1}` : "Free seat")),
      marks.filter(Boolean).map((mark) => el("span", { class: "badge" }, mark)),
      asked && el("span", { class: "doing" }, `decides: ${words(asked.kind)}`),
      clock && el("span", { class: "time", "data-seat": seat.seat }));
  });
}
