import { task, writes, type Task } from "../lib/task.ts";

const CONFLICT = `git checkout -q -b feature && sed -i 's/"red"/"red", "green"/' colors.js && git commit -qam "green" &&
git checkout -q main && sed -i 's/"red"/"red", "blue"/' colors.js && git commit -qam "blue" && (git merge feature || true)`;

/** Work on a repository and its files as a whole. */
export const REPOSITORIES: readonly Task[] = [
  task({
    name: "resolve-conflict",
    prompt:
      "A merge of the branch feature has a conflict. Resolve it so that all colors are kept. Do not commit.",
    files: { "colors.js": 'export const COLORS = ["red"];\n' },
    setup: CONFLICT,
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.doesNotMatch(readFileSync("colors.js", "utf8"), /^(<<<<<<<|=======|>>>>>>>)/m);
const { COLORS } = await import("./colors.js");
assert.deepEqual([...COLORS].sort(), ["blue", "green", "red"]);`,
    solution: writes("colors.js", 'export const COLORS = ["red", "green", "blue"];'),
  }),
  task({
    name: "resolve-rename-conflict",
    prompt:
      "A merge of the branch feature has a conflict. Here the function was renamed to sizeOf; there it was fixed for null. Keep both changes. Do not commit.",
    files: { "size.js": "export function size(list) {\n  return list.length;\n}\n" },
    setup: `git checkout -q -b feature && ${writes("size.js", "export function size(list) {\n  return list === null ? 0 : list.length;\n}").trim()}
git commit -qam "null" && git checkout -q main && ${writes("size.js", "export function sizeOf(list) {\n  return list.length; // a list\n}").trim()}
git commit -qam "rename" && (git merge feature || true)`,
    check: `import assert from "node:assert/strict";
const all = await import("./size.js");
assert.deepEqual([all.sizeOf([1, 2]), all.sizeOf(null), all.size], [2, 0, undefined]);`,
    solution: writes(
      "size.js",
      "export function sizeOf(list) {\n  return list === null ? 0 : list.length; // a list\n}",
    ),
  }),
  task({
    name: "find-breaking-commit",
    prompt:
      "double(2) was 4 in an earlier commit, and is wrong now. Restore what double() did, and keep everything else that changed since then.",
    files: { "math.js": "export const double = (n) => n * 2;\nexport const half = (n) => n / 2;\n" },
    setup: `sed -i 's/n \\* 2/n + n + 1/' math.js && git commit -qam "speed" && echo 'export const third = (n) => n / 3;' >>math.js && git commit -qam "third" && sed -i 's/(n) => n \\/ 2/(n) => n * 0.5/' math.js && git commit -qam "half"`,
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const { double, half, third } = await import("./math.js");
assert.deepEqual([double(2), double(-3), half(3), third(9)], [4, -6, 1.5, 3]);
assert.match(readFileSync("math.js", "utf8"), /n \\* 0\\.5/);`,
    solution: "sed -i 's/n + n + 1/n * 2/' math.js",
  }),
  task({
    name: "keep-line-ends",
    prompt: "In notes.txt, replace `draft` with `final`. The file has Windows line ends; keep them.",
    files: { "notes.txt": "title: plan\r\nstate: draft\r\nend\r\n" },
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.equal(readFileSync("notes.txt", "utf8"), "title: plan\\r\\nstate: final\\r\\nend\\r\\n");`,
    solution: "sed -i 's/draft/final/' notes.txt",
  }),
  task({
    name: "keep-unicode",
    prompt: "In menu.txt, the soup costs 5 € now. Change nothing else.",
    files: { "menu.txt": "🍲 Suppe – 4 €\n🍰 Käsekuchen – 3 €\n日替わり – 9 €\n" },
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.equal(readFileSync("menu.txt", "utf8"), "🍲 Suppe – 5 €\\n🍰 Käsekuchen – 3 €\\n日替わり – 9 €\\n");`,
    solution: "sed -i '1s/4/5/' menu.txt",
  }),
  task({
    name: "remove-dead-code",
    prompt: "Remove the code that nothing uses. index.js is the entry, and its exports stay.",
    files: {
      "index.js": 'import { add } from "./add.js";\n\nexport const sum = (list) => list.reduce(add, 0);\n',
      "add.js": "export const add = (a, b) => a + b;\nexport const subtract = (a, b) => a - b;\n",
      "old.js": 'import { subtract } from "./add.js";\n\nexport const diff = (a, b) => subtract(a, b);\n',
    },
    check: `import assert from "node:assert/strict";
import { existsSync } from "node:fs";
const { sum } = await import("./index.js");
const add = await import("./add.js");
assert.equal(sum([1, 2, 3]), 6);
assert.deepEqual(Object.keys(add), ["add"]);
assert.equal(existsSync("old.js"), false);`,
    solution: "rm old.js && sed -i '/subtract/d' add.js",
  }),
  task({
    name: "raise-version",
    prompt:
      "Release 2.0.0: set the version everywhere it is written, and add a heading for it at the top of the list in CHANGELOG.md.",
    files: {
      "version.js": 'export const VERSION = "1.2.3";\n',
      "README.md": "# Sample\n\nInstall it: `npm install sample@1.2.3`\n",
      "CHANGELOG.md": "# Changelog\n\n## 1.2.3\n\n- First release.\n",
    },
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const read = (file) => readFileSync(file, "utf8");
assert.equal(JSON.parse(read("package.json")).version, "2.0.0");
assert.equal((await import("./version.js")).VERSION, "2.0.0");
assert.match(read("README.md"), /sample@2\\.0\\.0/);
assert.match(read("CHANGELOG.md"), /# Changelog\\s+## v?\\[?2\\.0\\.0[^]*## 1\\.2\\.3\\s+- First release\\./);`,
    solution: `sed -i 's/1\\.2\\.3/2.0.0/' package.json version.js README.md && sed -i 's/^## 1.2.3/## 2.0.0\\n\\n## 1.2.3/' CHANGELOG.md`,
  }),
  task({
    name: "write-tests",
    prompt:
      "clamp.js has no tests. Write clamp.test.js for `node --test`. The tests must find any wrong result at and beyond both limits and between them.",
    files: {
      "clamp.js": "export function clamp(n, low, high) {\n  return Math.min(Math.max(n, low), high);\n}\n",
    },
    check: `import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
const status = (body) => {
  writeFileSync("clamp.js", "export function clamp(n, low, high) { return " + body + "; }");
  return spawnSync("node", ["--test", "clamp.test.js"]).status;
};
assert.equal(status("Math.min(Math.max(n, low), high)"), 0);
for (const wrong of ["n", "Math.max(n, low)", "Math.min(n, high)", "low", "high", "n < low ? low : n > high ? high : n + 1"]) {
  assert.notEqual(status(wrong), 0, wrong);
}`,
    solution: writes(
      "clamp.test.js",
      'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { clamp } from "./clamp.js";\n\ntest("stays within the limits", () => {\n  for (const [n, result] of [[-1, 0], [0, 0], [5, 5], [10, 10], [11, 10]]) {\n    assert.equal(clamp(n, 0, 10), result);\n  }\n});',
    ),
  }),
  task({
    name: "answer-from-code",
    prompt:
      'Which environment variable sets the size of the cache, and what is its default? Write the answer to answer.json as {"name": …, "default": …}, the default as a number.',
    files: {
      "src/config/env.js": "export const number = (name, or) => Number(process.env[`APP_${name}`] ?? or);\n",
      "src/cache.js":
        'import { number } from "./config/env.js";\nimport { SIZES } from "./sizes.js";\n\nexport const limit = number("CACHE_ENTRIES", SIZES.medium);\n',
      "src/sizes.js":
        "const BASE = 64;\n\nexport const SIZES = { small: BASE, medium: BASE * 8, large: BASE * 64 };\n",
    },
    check: `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.deepEqual(JSON.parse(readFileSync("answer.json", "utf8")), { name: "APP_CACHE_ENTRIES", default: 512 });`,
    solution: writes("answer.json", '{ "name": "APP_CACHE_ENTRIES", "default": 512 }'),
  }),
  task({
    name: "follow-project-rules",
    prompt: "Add a function isEven(n) in its own file.",
    files: {
      "AGENTS.md":
        "- Files are in `lib/` and have the ending `.mjs`.\n- Each file begins with the line `// @license MIT`.\n- There are no default exports.\n",
      "lib/is-odd.mjs": "// @license MIT\nexport const isOdd = (n) => Math.abs(n % 2) === 1;\n",
    },
    check: `import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
const file = readdirSync("lib").find((name) => name !== "is-odd.mjs");
assert.match(file, /\\.mjs$/);
assert.match(readFileSync("lib/" + file, "utf8"), /^\\/\\/ @license MIT\\n/);
const all = await import("./lib/" + file);
assert.deepEqual([all.isEven(2), all.isEven(-3), all.isEven(0), all.default], [true, false, true, undefined]);`,
    solution: writes("lib/is-even.mjs", "// @license MIT\nexport const isEven = (n) => n % 2 === 0;"),
  }),
];
