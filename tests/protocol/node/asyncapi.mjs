// Validates docs/protocol/asyncapi.json by AsyncAPI's own published schema; prints what is wrong and fails.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv";
import addFormats from "ajv-formats";

const require = createRequire(import.meta.url);
const page = JSON.parse(readFileSync(process.argv[2], "utf8"));
const schema = require(`@asyncapi/specs/schemas/${page.asyncapi}-without-$id.json`);
const ajv = new Ajv({ strict: false, allErrors: false });
addFormats(ajv);
const valid = ajv.validate(schema, page);
console.log(JSON.stringify({ valid, errors: ajv.errors ?? [] }, null, 1));
process.exitCode = valid ? 0 : 1;
