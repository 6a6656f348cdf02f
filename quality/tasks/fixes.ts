import { task, writes, type Task } from "../lib/task.ts";

/** Bugs that a test or a report shows. */
export const FIXES: readonly Task[] = [
  task({
    name: "fix-failing-test",
    prompt: "`node --test` fails. Fix the code, not the test.",
    files: {
      "range.js":
        "export function range(from, to) {\n  const all = [];\n  for (let n = from; n < to; n++) all.push(n);\n  return all;\n}\n",
      "range.test.js":
        'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { range } from "./range.js";\n\ntest("includes both ends", () => assert.deepEqual(range(1, 3), [1, 2, 3]));\n',
    },
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { range } from "./range.js";
assert.deepEqual(range(2, 5), [2, 3, 4, 5]);
assert.deepEqual(range(2, 1), []);
assert.match(readFileSync("range.test.js", "utf8"), /range\\(1, 3\\), \\[1, 2, 3\\]/);`,
    solution: "sed -i 's/n < to/n <= to/' range.js",
  }),
  task({
    name: "fix-missing-await",
    prompt: "`total()` in total.js sometimes returns NaN. Find out why and fix it.",
    files: {
      "prices.js": "export async function price(name) {\n  return { apple: 2, pear: 3 }[name] ?? 0;\n}\n",
      "total.js":
        'import { price } from "./prices.js";\n\nexport async function total(names) {\n  let sum = 0;\n  for (const name of names) sum += price(name);\n  return sum;\n}\n',
    },
    check: `import assert from "node:assert/strict";
import { total } from "./total.js";
assert.equal(await total(["apple", "pear", "fig"]), 5);`,
    solution: "sed -i 's/sum += price/sum += await price/' total.js",
  }),
  task({
    name: "fix-numeric-sort",
    prompt:
      "`top(scores, n)` should return the n highest scores, highest first, and leave its argument alone. It does neither.",
    files: { "top.js": "export function top(scores, n) {\n  return scores.sort().slice(0, n);\n}\n" },
    check: `import assert from "node:assert/strict";
import { top } from "./top.js";
const scores = [9, 100, 25, 3];
assert.deepEqual(top(scores, 2), [100, 25]);
assert.deepEqual(scores, [9, 100, 25, 3]);`,
    solution: writes(
      "top.js",
      "export function top(scores, n) {\n  return [...scores].sort((a, b) => b - a).slice(0, n);\n}",
    ),
  }),
  task({
    name: "fix-regular-expression",
    prompt:
      "isVersion() accepts `1.2.3.4` and `1x2x3`. It must accept three numbers with dots between them and nothing else.",
    files: { "version.js": "export const isVersion = (text) => /\\d+.\\d+.\\d+/.test(text);\n" },
    check: `import assert from "node:assert/strict";
import { isVersion } from "./version.js";
for (const yes of ["1.2.3", "10.0.12"]) assert.equal(isVersion(yes), true, yes);
for (const no of ["1.2.3.4", "1x2x3", "v1.2.3", "1.2", "", "1.2.3\\n"]) assert.equal(isVersion(no), false, no);`,
    solution: writes(
      "version.js",
      "export const isVersion = (text) => /^\\d+\\.\\d+\\.\\d+$(?!\\n)/.test(text);",
    ),
  }),
  task({
    name: "fix-wrong-json",
    prompt:
      "load.js crashes if settings.json is missing or is not valid JSON. It should then return the defaults. Other errors must still be thrown.",
    files: {
      "load.js":
        'import { readFileSync } from "node:fs";\n\nexport const DEFAULTS = { port: 80 };\n\nexport function load(file) {\n  return { ...DEFAULTS, ...JSON.parse(readFileSync(file, "utf8")) };\n}\n',
    },
    check: `import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { load } from "./load.js";
assert.deepEqual(load("none.json"), { port: 80 });
writeFileSync("bad.json", "{oops");
assert.deepEqual(load("bad.json"), { port: 80 });
writeFileSync("good.json", '{"port":81}');
assert.deepEqual(load("good.json"), { port: 81 });
mkdirSync("folder.json");
assert.throws(() => load("folder.json"));`,
    solution: writes(
      "load.js",
      'import { readFileSync } from "node:fs";\n\nexport const DEFAULTS = { port: 80 };\n\nexport function load(file) {\n  try {\n    return { ...DEFAULTS, ...JSON.parse(readFileSync(file, "utf8")) };\n  } catch (error) {\n    if (error.code === "ENOENT" || error instanceof SyntaxError) return { ...DEFAULTS };\n    throw error;\n  }\n}',
    ),
  }),
  task({
    name: "fix-time-zone",
    prompt:
      "dayOf() returns the wrong day on machines west of Greenwich. It should return the UTC day as YYYY-MM-DD everywhere.",
    files: {
      "day.js":
        'export function dayOf(ms) {\n  const date = new Date(ms);\n  const pad = (n) => String(n).padStart(2, "0");\n  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;\n}\n',
    },
    check: `import assert from "node:assert/strict";
process.env.TZ = "America/Los_Angeles";
const { dayOf } = await import("./day.js");
assert.equal(dayOf(Date.UTC(2026, 0, 1, 2)), "2026-01-01");
assert.equal(dayOf(Date.UTC(2026, 11, 31, 23)), "2026-12-31");`,
    solution: "sed -i 's/getFullYear/getUTCFullYear/; s/getMonth/getUTCMonth/; s/getDate/getUTCDate/' day.js",
  }),
  task({
    name: "fix-from-log",
    prompt:
      "The service died last night. crash.log has its output. Fix the cause so that this cannot happen again.",
    files: {
      "crash.log":
        "listening\nhandled order 17\n/srv/orders.js:6\n  return order.customer.name.toUpperCase();\n                        ^\n\nTypeError: Cannot read properties of undefined (reading 'name')\n    at label (/srv/orders.js:6:25)\n",
      "orders.js":
        "export function sum(order) {\n  return order.lines.reduce((total, line) => total + line.price, 0);\n}\n\nexport function label(order) {\n  return order.customer.name.toUpperCase();\n}\n",
    },
    check: `import assert from "node:assert/strict";
import { label, sum } from "./orders.js";
assert.equal(label({ customer: { name: "ann" } }), "ANN");
assert.equal(typeof label({}), "string");
assert.equal(typeof label({ customer: {} }), "string");
assert.equal(sum({ lines: [{ price: 2 }, { price: 3 }] }), 5);`,
    solution: `sed -i 's/order.customer.name.toUpperCase()/(order.customer?.name ?? "unknown").toUpperCase()/' orders.js`,
  }),
  task({
    name: "fix-shell-quoting",
    prompt:
      "count.sh prints the number of lines of each file that it is given. It fails for names with spaces. Fix it.",
    files: { "count.sh": '#!/bin/sh\nfor file in $@; do\n  wc -l < $file | tr -d " "\ndone\n' },
    check: `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
writeFileSync("a b.txt", "1\\n2\\n");
writeFileSync("c.txt", "1\\n");
assert.equal(execFileSync("sh", ["count.sh", "a b.txt", "c.txt"], { encoding: "utf8" }), "2\\n1\\n");`,
    solution: writes("count.sh", '#!/bin/sh\nfor file in "$@"; do\n  wc -l < "$file" | tr -d " "\ndone'),
  }),
  task({
    name: "fix-quoted-csv",
    prompt:
      'parseLine() splits at every comma. A field may be in double quotes, and then it may contain commas, and `""` is one quote. Support that.',
    files: { "csv.js": 'export function parseLine(line) {\n  return line.split(",");\n}\n' },
    check: `import assert from "node:assert/strict";
import { parseLine } from "./csv.js";
assert.deepEqual(parseLine("a,b,"), ["a", "b", ""]);
assert.deepEqual(parseLine('"a,b",c'), ["a,b", "c"]);
assert.deepEqual(parseLine('"say ""hi""",""'), ['say "hi"', ""]);`,
    solution: writes(
      "csv.js",
      'export function parseLine(line) {\n  const fields = [""];\n  let quoted = false;\n  for (let at = 0; at < line.length; at++) {\n    const letter = line[at];\n    if (letter === \'"\' && quoted && line[at + 1] === \'"\') {\n      fields[fields.length - 1] += letter;\n      at++;\n    } else if (letter === \'"\') quoted = !quoted;\n    else if (letter === "," && !quoted) fields.push("");\n    else fields[fields.length - 1] += letter;\n  }\n  return fields;\n}',
    ),
  }),
  task({
    name: "fix-too-many-at-once",
    prompt:
      "mapAll(items, work, limit) must run at most `limit` calls of work at a time and return the results in order. It starts all of them at once.",
    files: {
      "map-all.js":
        "export async function mapAll(items, work, limit) {\n  return await Promise.all(items.map((item) => work(item)));\n}\n",
    },
    check: `import assert from "node:assert/strict";
import { mapAll } from "./map-all.js";
let running = 0, most = 0;
const work = async (n) => {
  most = Math.max(most, ++running);
  await new Promise((done) => setTimeout(done, 2));
  running--;
  return n * 2;
};
assert.deepEqual(await mapAll([1, 2, 3, 4, 5, 6, 7], work, 3), [2, 4, 6, 8, 10, 12, 14]);
assert.equal(most, 3);
assert.deepEqual(await mapAll([], work, 3), []);`,
    solution: writes(
      "map-all.js",
      "export async function mapAll(items, work, limit) {\n  const results = new Array(items.length);\n  let next = 0;\n  const worker = async () => {\n    while (next < items.length) {\n      const at = next++;\n      results[at] = await work(items[at]);\n    }\n  };\n  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));\n  return results;\n}",
    ),
  }),
];
