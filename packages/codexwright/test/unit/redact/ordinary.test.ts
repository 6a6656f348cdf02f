import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { Redactor } from "../../../src/redact/redactor.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../../..");

/** Returns the files of a folder and below that end with this suffix, in a fixed order. */
function filesIn(folder: string, ends: RegExp): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => ends.test(file) && !file.includes("node_modules"))
    .map((file) => path.join(ROOT, folder, file))
    .filter((file) => statSync(file).isFile())
    .toSorted();
}

/** Returns the first lines of files, up to a total number. */
function linesOf(files: readonly string[], most: number, each: number): string[] {
  const lines: string[] = [];
  for (const file of files) {
    lines.push(...readFileSync(file, "utf8").split("\n").slice(0, each));
    if (lines.length >= most) break;
  }
  return lines.slice(0, most);
}

const hex = (seed: number, length: number): string =>
  Array.from({ length }, (_, at) => ((seed * 31 + at * at * 7 + at) % 16).toString(16)).join("");

/** Typical output of tests and builds. */
const PRINTED = Array.from({ length: 1_000 }, (_, at) => [
  ` ✓ src/module-${at}.test.ts > does what it says ${at}ms`,
  `commit ${hex(at, 40)} (HEAD -> main, tag: v1.${at}.0)`,
  `index ${hex(at, 7)}..${hex(at + 1, 7)} 100644`,
  `request-id: ${hex(at, 8)}-${hex(at + 1, 4)}-4${hex(at, 3)}-a${hex(at, 3)}-${hex(at + 2, 12)}`,
  `    at Object.<anonymous> (/work/app/src/key-store-${at}.ts:${at}:17)`,
  `sha256:${hex(at, 64)}  dist/app-${at}.tar.gz`,
  `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==">`,
  `2026-11-16T07:0${at % 10}:12.345Z INFO tokens used: ${at * 13}, keys: ${at}, secrets: 0`,
  `npm http fetch GET 200 https://example.test/@scope%2fname-${at} ${at}ms (cache hit)`,
  `  expected key "${hex(at, 12)}" to equal "${hex(at + 3, 12)}"`,
]).flat();

/** Lines of programs and documents that are about secrets but contain none. */
const ABOUT_SECRETS = [
  'ENTRY_TOKEN="$MACHINE_ID"',
  "export KERNEL_ENTRY_TOKEN=$ENTRY_TOKEN",
  'L_KEYS="$SCRATCH_DIR/authorized_keys"',
  "trap 'ROOTKEY=$ROOTKEY run' EXIT INT",
  "API_TOKEN=${{ secrets.API_TOKEN }}",
  'TOKEN="$(cat /run/token)"',
  "The form C<KEY=VALUE> is read.",
  "API_KEY=YOUR_API_KEY npm start",
  "kwriteconfig --file globals --group General --key BrowserApplication",
  "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem",
  "cookie = nt._add_dll_directory(path)",
  "seen.push({ url, authorization: headers.authorization })",
  'AttributeOID.CHALLENGE_PASSWORD: "challengePassword",',
  "return f'machine {host}{path} login {self.username} password {self.password}'",
  "<privateKey>/path/to/private/key</privateKey>",
  "const url = new URL('https://user:pass@sub.example.com:8080/p/a/t/h?query=string#hash');",
  "// Prints https://a:b@xn--g6w251d/?abc#foo",
  "https://username:password@example.com/simple",
  "TESTS_PASS=1234 TESTS_FAIL=0",
  "define('DB_NAME', 'wordpress1');",
  "  password must be at least 12 characters long",
  "CREATE ROLE app LOGIN PASSWORD :'password';",
  "echo hello1 | tee out.txt",
  "secret_key_base_for_development_only_please_change",
  "dapi.configure_something_or_other_long_name_2()",
  "glc_context_create_with_attributes_2(a, b)",
  "curl -u $USER:$PASSWORD https://example.test",
  "secret_store_for_all_kinds_of_values_v2_test.go",
  "default login anonymous password user@site",
  "[chat](https://join.slack.com/t/example/shared_invite/zt-mj0utgqp-TNFf4VQICnDnPg4zMHChFw)",
  "test_convertUtf8ToUtf16AndBackAgain2(a, b)",
  "the token is invalid2 and the password is required",
  "ENV NODE_VERSION 20.19.0",
  'config["api_key"] = "your-api-key-here-1"',
];

const CORPORA: Readonly<Record<string, () => string[]>> = {
  "the library": () => linesOf(filesIn("packages/codexwright/src", /(?<!rules\/[\w-]+)\.ts$/), 4_000, 200),
  "its documents": () => linesOf(filesIn("docs", /\.md$/), 1_500, 150),
  "a lockfile": () => linesOf([path.join(ROOT, "package-lock.json")], 2_000, 2_000),
  "libraries of others": () =>
    linesOf(
      ["zod", "fast-check", "valibot", "ws", "arktype"].flatMap((name) =>
        filesIn(`node_modules/${name}`, /\.(?:js|cjs|mjs|json|d\.ts)$/),
      ),
      6_000,
      120,
    ),
  "minified code": () =>
    linesOf(
      [...filesIn("node_modules/markdown-it", /\.min\.js$/), ...filesIn("node_modules/lunr", /\.min\.js$/)],
      100,
      100,
    ),
  "output of tests": () => PRINTED,
  "texts about secrets": () => Array.from({ length: 60 }, () => ABOUT_SECRETS).flat(),
};

for (const [what, lines] of Object.entries(CORPORA)) {
  verifies(
    "security.s52",
    `finds no secrets in ${what}`,
    () => {
      const all = lines();
      expect(all.join("\n").length).toBeGreaterThan(50_000);
      const wrong: string[] = [];
      // Line by line, as a model writes it, and in one piece, as a command prints it.
      for (const text of [...all, all.join("\n")]) {
        const kept = new Redactor([], {}).text(text, "peer");
        if (kept !== text) wrong.push(text.length < 500 ? `${text} → ${kept}` : difference(text, kept));
      }
      expect(wrong).toEqual([]);
    },
    { timeoutMs: 120_000 },
  );
}

function difference(text: string, kept: string): string {
  const at = kept.indexOf("[redacted:1]");
  return `${text.slice(Math.max(0, at - 60), at)}»${text.slice(at, at + 60)}«`;
}
