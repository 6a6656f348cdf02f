import { task, writes, type Task } from "../lib/task.ts";

const SHAPES = {
  "shapes.js": "export function calcArea(width, height) {\n  return width * height;\n}\n",
  "room.js":
    'import { calcArea } from "./shapes.js";\n\nexport const room = (w, h) => `${calcArea(w, h)} m2`;\n',
  "garden.js":
    'import { calcArea as area } from "./shapes.js";\n\n// calcArea takes meters.\nexport const garden = (side) => area(side, side);\n',
};

const GREET = 'const [name = "world"] = process.argv.slice(2);\nconsole.log(`Hello, ${name}!`);\n';

const LONG = Array.from({ length: 2_000 }, (_, n) => `export const value${n} = ${n * 7};`).join("\n");

/** Changes to code that works. */
export const CHANGES: readonly Task[] = [
  task({
    name: "rename-function",
    prompt: "Rename calcArea to areaOf everywhere.",
    files: SHAPES,
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { areaOf } from "./shapes.js";
import { room } from "./room.js";
import { garden } from "./garden.js";
assert.deepEqual([areaOf(2, 3), room(2, 3), garden(3)], [6, "6 m2", 9]);
for (const file of ["shapes.js", "room.js", "garden.js"]) assert.doesNotMatch(readFileSync(file, "utf8"), /calcArea/);`,
    solution: "sed -i 's/calcArea/areaOf/g' *.js",
  }),
  task({
    name: "move-file",
    prompt: "Move shapes.js into a folder lib, and keep everything working.",
    files: SHAPES,
    check: `import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { calcArea } from "./lib/shapes.js";
import { room } from "./room.js";
import { garden } from "./garden.js";
assert.deepEqual([calcArea(2, 3), room(2, 3), garden(3)], [6, "6 m2", 9]);
assert.equal(existsSync("shapes.js"), false);`,
    solution: `mkdir lib && git mv shapes.js lib/ && sed -i 's#"./shapes.js"#"./lib/shapes.js"#' room.js garden.js`,
  }),
  task({
    name: "add-flag",
    prompt:
      'Add a flag --json to greet.js: it then prints {"greeting":"Hello, NAME!"} instead of the text. The flag may stand before or after the name.',
    files: { "greet.js": GREET },
    check: `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
const run = (...args) => execFileSync("node", ["greet.js", ...args], { encoding: "utf8" });
assert.equal(run("Ann"), "Hello, Ann!\\n");
assert.equal(run(), "Hello, world!\\n");
assert.deepEqual(JSON.parse(run("--json", "Ann")), { greeting: "Hello, Ann!" });
assert.deepEqual(JSON.parse(run("Ann", "--json")), { greeting: "Hello, Ann!" });
assert.deepEqual(JSON.parse(run("--json")), { greeting: "Hello, world!" });`,
    solution: writes(
      "greet.js",
      'const args = process.argv.slice(2);\nconst [name = "world"] = args.filter((arg) => arg !== "--json");\nconst greeting = `Hello, ${name}!`;\nconsole.log(args.includes("--json") ? JSON.stringify({ greeting }) : greeting);',
    ),
  }),
  task({
    name: "add-version-flag",
    prompt: "greet.js --version should print the version of package.json, from any folder.",
    files: { "greet.js": GREET },
    check: `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { writeFileSync } from "node:fs";
writeFileSync("package.json", '{ "version": "4.5.6", "type": "module" }');
const program = path.resolve("greet.js");
assert.equal(execFileSync("node", [program, "--version"], { cwd: "/", encoding: "utf8" }).trim(), "4.5.6");
assert.equal(execFileSync("node", [program, "Ann"], { encoding: "utf8" }), "Hello, Ann!\\n");`,
    solution: writes(
      "greet.js",
      'import { readFileSync } from "node:fs";\n\nconst [name = "world"] = process.argv.slice(2);\nif (name === "--version") {\n  const file = new URL("./package.json", import.meta.url);\n  console.log(JSON.parse(readFileSync(file, "utf8")).version);\n} else console.log(`Hello, ${name}!`);',
    ),
  }),
  task({
    name: "extract-helper",
    prompt:
      "user.js and team.js make slugs with the same code. Move it into slug.js as slugOf(text), and use it in both.",
    files: {
      "user.js":
        'export const userPath = (name) => `/u/${name.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;\n',
      "team.js":
        'export const teamPath = (name) => `/t/${name.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;\n',
    },
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { slugOf } from "./slug.js";
import { userPath } from "./user.js";
import { teamPath } from "./team.js";
assert.deepEqual([slugOf(" A b"), userPath(" A b"), teamPath("C  d")], ["a-b", "/u/a-b", "/t/c-d"]);
for (const file of ["user.js", "team.js"]) assert.doesNotMatch(readFileSync(file, "utf8"), /toLowerCase/);`,
    solution:
      writes(
        "slug.js",
        'export const slugOf = (text) => text.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-");',
      ) +
      writes(
        "user.js",
        'import { slugOf } from "./slug.js";\n\nexport const userPath = (name) => `/u/${slugOf(name)}`;',
      ) +
      writes(
        "team.js",
        'import { slugOf } from "./slug.js";\n\nexport const teamPath = (name) => `/t/${slugOf(name)}`;',
      ),
  }),
  task({
    name: "add-validation",
    prompt:
      "withdraw() must throw a RangeError if the amount is not a positive number or exceeds the balance, and must not change the account then.",
    files: {
      "account.js":
        "export function withdraw(account, amount) {\n  account.balance -= amount;\n  return account.balance;\n}\n",
    },
    check: `import assert from "node:assert/strict";
import { withdraw } from "./account.js";
const account = { balance: 10 };
for (const bad of [0, -1, 11, NaN, Infinity, "5", undefined]) {
  assert.throws(() => withdraw(account, bad), RangeError, String(bad));
  assert.equal(account.balance, 10);
}
assert.equal(withdraw(account, 10), 0);`,
    solution: writes(
      "account.js",
      'export function withdraw(account, amount) {\n  if (typeof amount !== "number" || !(amount > 0) || amount > account.balance) {\n    throw new RangeError("the amount must be positive and at most the balance");\n  }\n  account.balance -= amount;\n  return account.balance;\n}',
    ),
  }),
  task({
    name: "add-cache",
    prompt:
      "lookup() asks the slow function for every call. Let it ask once for each key. A failed call must not be remembered, and calls at the same time must share one request.",
    files: {
      "lookup.js": "export function makeLookup(slow) {\n  return async (key) => await slow(key);\n}\n",
    },
    check: `import assert from "node:assert/strict";
import { makeLookup } from "./lookup.js";
let calls = 0, fail = true;
const lookup = makeLookup(async (key) => {
  calls++;
  if (key === "bad" && fail) throw new Error("no");
  return key + "!";
});
assert.deepEqual(await Promise.all([lookup("a"), lookup("a"), lookup("b")]), ["a!", "a!", "b!"]);
assert.equal(await lookup("a"), "a!");
assert.equal(calls, 2);
await assert.rejects(lookup("bad"));
fail = false;
assert.equal(await lookup("bad"), "bad!");`,
    solution: writes(
      "lookup.js",
      "export function makeLookup(slow) {\n  const known = new Map();\n  return async (key) => {\n    if (!known.has(key)) {\n      const asked = Promise.resolve(slow(key));\n      known.set(key, asked);\n      asked.catch(() => known.delete(key));\n    }\n    return await known.get(key);\n  };\n}",
    ),
  }),
  task({
    name: "callbacks-to-promises",
    prompt:
      "Make readPair() return a promise instead of taking a callback, and adapt main.js. Its output must stay the same.",
    files: {
      "pair.js":
        'import { readFile } from "node:fs";\n\nexport function readPair(a, b, done) {\n  readFile(a, "utf8", (error, first) => {\n    if (error) return done(error);\n    readFile(b, "utf8", (problem, second) => done(problem, [first, second]));\n  });\n}\n',
      "main.js":
        'import { readPair } from "./pair.js";\n\nreadPair("a.txt", "b.txt", (error, pair) => {\n  console.log(error ? "failed" : pair.join("+"));\n});\n',
      "a.txt": "one",
      "b.txt": "two",
    },
    check: `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { readPair } from "./pair.js";
assert.deepEqual(await readPair("a.txt", "b.txt"), ["one", "two"]);
await assert.rejects(readPair("a.txt", "none.txt"));
assert.equal(execFileSync("node", ["main.js"], { encoding: "utf8" }), "one+two\\n");
rmSync("b.txt");
assert.equal(execFileSync("node", ["main.js"], { encoding: "utf8" }), "failed\\n");`,
    solution:
      writes(
        "pair.js",
        'import { readFile } from "node:fs/promises";\n\nexport async function readPair(a, b) {\n  return [await readFile(a, "utf8"), await readFile(b, "utf8")];\n}',
      ) +
      writes(
        "main.js",
        'import { readPair } from "./pair.js";\n\ntry {\n  console.log((await readPair("a.txt", "b.txt")).join("+"));\n} catch {\n  console.log("failed");\n}',
      ),
  }),
  task({
    name: "add-route",
    prompt:
      'Add GET /health to server.js: status 200 and the JSON body {"ok":true}. Every other path stays as it is.',
    files: {
      "server.js":
        'import { createServer } from "node:http";\n\nexport const server = createServer((request, response) => {\n  if (request.url === "/") return response.end("home");\n  response.writeHead(404).end("not found");\n});\n',
    },
    check: `import assert from "node:assert/strict";
import { server } from "./server.js";
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const get = async (path) => await fetch("http://127.0.0.1:" + server.address().port + path);
const health = await get("/health");
assert.equal(health.status, 200);
assert.deepEqual(await health.json(), { ok: true });
assert.equal(await (await get("/")).text(), "home");
assert.equal((await get("/other")).status, 404);
server.closeAllConnections();
server.close();`,
    solution: `sed -i '/response.end("home")/a\\  if (request.url === "/health" \\&\\& request.method === "GET") return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ok: true }));' server.js`,
  }),
  task({
    name: "edit-long-file",
    prompt: "In values.js, value1234 must be 42. Change nothing else.",
    files: { "values.js": `${LONG}\n` },
    check: `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
const { value1234, value1235 } = await import("./values.js");
assert.deepEqual([value1234, value1235], [42, 8645]);
assert.equal(execFileSync("git", ["diff", "--numstat", "HEAD", "--", "values.js"], { encoding: "utf8" }), "1\\t1\\tvalues.js\\n");`,
    solution: "sed -i 's/value1234 = .*/value1234 = 42;/' values.js",
  }),
];
