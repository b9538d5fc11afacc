// Reads every golden vector with @msgpack/msgpack and writes it back; prints what differs and fails.
import { readFileSync } from "node:fs";
import { decode, encode } from "@msgpack/msgpack";

const folder = new URL("../vectors/", import.meta.url);
const faults = [];
let count = 0;

const asJson = (value) =>
  JSON.parse(
    JSON.stringify(value, (_, item) => (item instanceof Uint8Array ? Buffer.from(item).toString("base64") : item)),
  );

const same = (left, right) => canonical(left) === canonical(right);

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
}

function check(vector) {
  const bytes = Buffer.from(vector.hex, "hex");
  const value = decode(new Uint8Array(bytes)); // a Buffer would hand out Buffers
  if (!same(asJson(value), vector.value)) faults.push(`${vector.name}: the bytes say something else`);
  if (!same(JSON.parse(vector.text), vector.value)) faults.push(`${vector.name}: the text says something else`);
  if (!Buffer.from(encode(value)).equals(bytes)) faults.push(`${vector.name}: written back, the bytes differ`);
  count += 1;
}

for (const file of ["commands.json", "messages.json"]) {
  JSON.parse(readFileSync(new URL(file, folder), "utf8")).forEach(check);
}
console.log(JSON.stringify({ count, faults }));
process.exitCode = faults.length ? 1 : 0;
