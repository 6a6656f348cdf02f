import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { run } from "../../src/program.ts";
import { jsonLines } from "../support/json-lines.ts";

interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, in an empty folder, and captures what it prints. */
async function used(args: readonly string[]): Promise<Printed> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "codexwright-wrong-")));
  mkdirSync(path.join(root, "folder"));
  mkdirSync(path.join(root, "moved"));
  writeFileSync(path.join(root, "moved", ".git"), `gitdir: ${root}/nowhere/.git/worktrees/moved\n`);
  writeFileSync(path.join(root, "text"), "not JSON\n");
  writeFileSync(path.join(root, "list.json"), "[]");
  writeFileSync(path.join(root, "none.mjs"), "export const x = 1;");
  const texts = { stdout: "", stderr: "" };
  const { CODEX_HOME, CODEX_PATH, PATH } = process.env;
  const before = process.exitCode;
  const names = ["stdout", "stderr"] as const;
  for (const name of names) {
    // This property hides the stream's method until it is deleted.
    Object.defineProperty(process[name], "write", {
      configurable: true,
      value: (text: string | Uint8Array) => ((texts[name] += String(text)), true),
    });
  }
  Object.assign(process.env, { CODEX_HOME: root, CODEX_PATH: path.join(root, "text"), PATH: "" });
  try {
    const placed = args.map((arg) => arg.replace("ROOT", root));
    const exitCode = await run(placed, "1.0.0");
    return { exitCode, ...texts };
  } finally {
    for (const name of names) Reflect.deleteProperty(process[name], "write");
    Object.assign(process.env, { CODEX_HOME, CODEX_PATH, PATH });
    if (CODEX_HOME === undefined) delete process.env["CODEX_HOME"];
    if (CODEX_PATH === undefined) delete process.env["CODEX_PATH"];
    // Bun keeps the old exit code if it is set to undefined.
    process.exitCode = before ?? 0;
    rmSync(root, { recursive: true });
  }
}

/** Invalid command lines, with the exit code and the error code that they cause. */
const WRONG: readonly (readonly [string, number, string])[] = [
  ["nosuch", 2, "usage"],
  ["thread", 2, "usage"],
  ["--nosuch", 2, "usage"],
  ["-x", 2, "usage"],
  ["help nosuch", 2, "usage"],
  ["run --nosuch x", 2, "usage"],
  ["run --sandbox", 2, "usage"],
  ["run --sandbox none x", 2, "usage"],
  ["run --approval sometimes x", 2, "usage"],
  ["run --timeout soon x", 2, "usage"],
  ["run --timeout 0 x", 2, "usage"],
  ["run --timeout -5s x", 2, "usage"],
  ["run --max-tokens 1.5 x", 2, "usage"],
  ["run --max-tokens -1 x", 2, "usage"],
  ["run --max-tokens x x", 2, "usage"],
  ["run --cwd ROOT/nowhere x", 2, "usage"],
  ["run --cwd ROOT/text x", 2, "usage"],
  ["run --resume a --fork b x", 2, "usage"],
  ["run --resume a --last x", 2, "usage"],
  ["run --last --ephemeral x", 2, "usage"],
  ["run --file ROOT/nowhere x", 3, "not_found"],
  ["run --file ROOT/folder x", 1, "file_unreadable"],
  ["run --image ROOT/nowhere.png x", 3, "not_found"],
  ["run --image ROOT/folder x", 1, "file_unreadable"],
  ["run --output-schema ROOT/nowhere x", 3, "not_found"],
  ["run --output-schema ROOT/text x", 2, "usage"],
  ["run --output-schema ROOT/list.json x", 2, "usage"],
  ["run --tool ROOT/nowhere.mjs x", 3, "not_found"],
  ["run --tool ROOT/none.mjs x", 2, "usage"],
  ["run --tool ROOT/text x", 2, "usage"],
  ["run --cwd= x", 2, "usage"],
  ["run --model= x", 2, "usage"],
  ["run --effort= x", 2, "usage"],
  ["run --file= x", 2, "usage"],
  ["run --image= x", 2, "usage"],
  ["run --image=a --image= x", 2, "usage"],
  ["run --tool= x", 2, "usage"],
  ["run --output-schema= x", 2, "usage"],
  ["run --codex-path= x", 2, "usage"],
  ["run --resume= x", 2, "usage"],
  ["run --fork= x", 2, "usage"],
  ["run --file ROOT/text --file ROOT/list.json x", 2, "usage"],
  ["run --demo --file ROOT/text", 2, "usage"],
  ["run --demo --resume a", 2, "usage"],
  ["run --demo --last", 2, "usage"],
  ["run --demo --fork a", 2, "usage"],
  ["run --demo --output-schema ROOT/list.json", 2, "usage"],
  ["run x", 4, "not_logged_in"],
  ["review extra words", 2, "usage"],
  ["review --base", 2, "usage"],
  ["review --base a --commit b", 2, "usage"],
  ["review --base=", 2, "usage"],
  ["review --instructions=", 2, "usage"],
  ["review --cwd ROOT", 2, "not_a_repository"],
  ["review --cwd ROOT/moved", 2, "not_a_repository"],
  ["review --cwd ROOT/moved --base main", 2, "not_a_repository"],
  ["review --output-schema ROOT/nowhere", 3, "not_found"],
  ["exec", 2, "usage"],
  ["exec --", 2, "usage"],
  ["exec --sandbox some -- true", 2, "usage"],
  ["exec --codex-path ROOT/nowhere -- true", 3, "codex_not_found"],
  ["exec --codex-path ROOT/folder -- true", 3, "codex_not_found"],
  ["threads", 2, "usage"],
  ["threads nosuch", 2, "usage"],
  ["threads list extra", 2, "usage"],
  ["threads list --limit 0", 2, "usage"],
  ["threads list --here --cwd=", 2, "usage"],
  ["threads list --sort name", 2, "usage"],
  ["threads show", 2, "usage"],
  ["threads show a b", 2, "usage"],
  ["threads name a", 2, "usage"],
  ["threads resume", 2, "usage"],
  ["threads delete", 2, "usage"],
  ["models extra", 2, "usage"],
  ["login --device --api-key-stdin", 2, "usage"],
  ["login extra", 2, "usage"],
  ["logout extra", 2, "usage"],
  ["whoami", 4, "not_logged_in"],
  ["doctor extra", 2, "usage"],
  ["record", 2, "usage"],
  ["record ROOT/x", 2, "usage"],
  ["record ROOT/nowhere/x -- models", 3, "not_found"],
  ["record ROOT/folder -- models", 1, "recording_failed"],
  ["record ROOT/x -- nosuch", 2, "usage"],
  ["record ROOT/x -- doctor", 2, "usage"],
  ["record ROOT/x -- run --nosuch y", 2, "usage"],
  ["replay", 2, "usage"],
  ["replay ROOT/nowhere", 3, "not_found"],
  ["replay ROOT/folder", 1, "file_unreadable"],
  ["replay ROOT/text", 1, "recording_invalid"],
  ["replay ROOT/text -- nosuch", 2, "usage"],
  ["replay ROOT/text --serve ws://127.0.0.1:0 -- models", 2, "usage"],
  ["inspect", 2, "usage"],
  ["inspect ROOT/nowhere", 3, "not_found"],
  ["inspect ROOT/folder", 1, "file_unreadable"],
  ["inspect ROOT/folder --follow", 1, "file_unreadable"],
  ["inspect ROOT/text", 1, "recording_invalid"],
  ["inspect ROOT/text --kind none", 2, "usage"],
  ["inspect a b", 2, "usage"],
  ["serve --listen ftp://x", 2, "usage"],
  ["serve --listen ws://127.0.0.1:99999", 2, "usage"],
  ["serve --token-sha256 short", 2, "usage"],
  ["serve --token-file ROOT/folder", 1, "file_unreadable"],
  ["serve --jwt-secret-file ROOT/nowhere", 3, "not_found"],
  ["app-server extra", 2, "usage"],
  ["app-server --nosuch", 2, "usage"],
  ["app-server --listen ftp://x", 2, "usage"],
  ["app-server --listen unix://", 2, "usage"],
  ["app-server --listen ws://127.0.0.1:99999", 2, "invalid_argument"],
  ["app-server --listen ws://0.0.0.0:0", 2, "usage"],
  ["app-server --listen ws://0.0.0.0:0 --jwt-issuer i", 2, "usage"],
  ["app-server --listen stdio:// --stdio", 2, "usage"],
  ["app-server --stdio --token-sha256 short", 2, "usage"],
  ["app-server --listen unix://ROOT/s --token-file ROOT/t", 2, "usage"],
  ["app-server --listen ws://127.0.0.1:0 --token-sha256 short", 2, "usage"],
  ["app-server --listen ws://127.0.0.1:0 --token-file ROOT/folder", 1, "file_unreadable"],
  ["app-server --listen ws://127.0.0.1:0 --jwt-secret-file ROOT/nowhere", 3, "not_found"],
  ["app-server --listen ws://127.0.0.1:0 --ws-token-file ROOT/t", 2, "usage"],
  ["app-server --listen ws://127.0.0.1:0 --ws-auth none", 2, "usage"],
  ["app-server --listen ws://127.0.0.1:0 --ws-auth capability-token", 2, "usage"],
  ["app-server --listen ws://127.0.0.1:0 --ws-auth signed-bearer-token --ws-token-file ROOT/t", 2, "usage"],
  [
    "app-server --listen ws://127.0.0.1:0 --ws-auth capability-token --ws-token-file ROOT/nowhere",
    2,
    "invalid_argument",
  ],
  ["app-server --listen unix://ROOT/s -c model", 2, "usage"],
  ["app-server --listen unix://ROOT/s --enable a.b", 2, "usage"],
  ["app-server --listen unix://ROOT/nowhere/s", 1, "listen_failed"],
  ["app-server --cwd ROOT/nowhere", 2, "usage"],
  ["fleet", 2, "usage"],
  ["fleet nosuch", 2, "usage"],
  ["fleet status extra", 2, "usage"],
  ["fleet status --data=", 2, "usage"],
  ["fleet explain", 2, "usage"],
  ["fleet stop a b", 2, "usage"],
  ["fleet logs --last 0", 2, "usage"],
  ["fleet pause --reason=", 2, "usage"],
  ["fleet init a b", 2, "usage"],
  ["completion", 2, "usage"],
  ["completion tcsh", 2, "usage"],
  ["completion bash zsh", 2, "usage"],
];

describe("a wrong use of the command", () => {
  for (const [line, exitCode, code] of WRONG) {
    verifies(["cli.errors", "cli.exit-codes"], `${line}: ${exitCode} ${code}`, async () => {
      const args = line.split(" ");
      const printed = await used(args);
      expect({ ...printed, stderr: "" }).toEqual({ exitCode, stdout: "", stderr: "" });
      // One line says what is wrong. Indented lines of advice may follow.
      expect(printed.stderr).toMatch(new RegExp(`^error ${code}: \\S[^\\n]*\\n(?: {2}\\S[^\\n]*\\n)*$`));
      expect(printed.stderr).not.toMatch(/^error:|\[object|undefined/m);
      const at = args[0] === "threads" || args[0] === "fleet" ? 2 : 1;
      const json = await used(args.toSpliced(args[0]?.startsWith("-") ? 9 : at, 0, "--json"));
      expect(json.stderr).toBe("");
      const lines = await jsonLines(json.stdout);
      expect(lines.map(({ type }) => type)).toEqual(["error"]);
    });
  }
});
