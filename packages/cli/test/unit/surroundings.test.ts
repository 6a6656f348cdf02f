import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { reply, toolCall } from "@codexwright/testing";
import { describe, expect } from "vitest";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { decoded } from "../../src/exec.ts";
import { COMMAND } from "../support/command.ts";
import { jsonLines } from "../support/json-lines.ts";
import { newUser } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

verifies("cli.help", "it is not an error if the reader of the help stops early", async () => {
  const child = spawn(process.execPath, [COMMAND, "run", "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number];
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

describe("files that options name", () => {
  verifies(
    ["cli.run.task", "cli.exit-codes"],
    "are checked before anything starts, and errors name the option",
    async () => {
      await using user = await newUser({ model: [] });
      await mkdir(path.join(user.folder, "folder"));
      for (const option of ["--file", "--image", "--output-schema", "--tool"]) {
        const missing = await user.run(["run", "--json", option, "nowhere", "x"]);
        expect(missing.exitCode).toBe(3);
        const message = `${option} nowhere: no such file`;
        expect(await jsonLines(missing.stdout)).toMatchObject([
          { type: "error", code: "not_found", message },
        ]);
        const folder = await user.run(["run", option, "folder", "x"]);
        expect(folder.exitCode).toBe(1);
        expect(folder.stderr).toContain(`error file_unreadable: ${option} folder: `);
      }
      expect(user.fake.requests).toEqual([]);
    },
    FAKE,
  );
});

describe("a module of tools", () => {
  const library = JSON.stringify(import.meta.resolve("codexwright"));
  const source = `import { tool, jsonSchema } from ${library};
    console.log("loaded");
    setInterval(() => {}, 1_000);
    const input = jsonSchema({ type: "object", properties: {} });
    export default tool({ name: "look", description: "Looks.", input, run: () => { console.log("ran"); return "seen"; } });`;

  verifies(
    ["cli.run.tools", "cli.json"],
    "prints nothing between the lines of --json, and does not keep the command from ending",
    async () => {
      await using user = await newUser({ model: [toolCall("look", {}), reply("Seen.")] });
      await writeFile(path.join(user.folder, "tools.mjs"), source);
      const { exitCode, stdout, stderr } = await user.run(["run", "--json", "--tool", "tools.mjs", "Look"]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "loaded\nran\n" });
      expect((await jsonLines(stdout)).at(-1)).toMatchObject({ type: "result", text: "Seen." });
    },
    FAKE,
  );

  verifies(
    "cli.run.tools",
    "uses the command's library if the module's folder has none, and otherwise the folder's own",
    async () => {
      await using user = await newUser({
        model: ({ index }) => (index % 2 === 0 ? toolCall("look", {}) : reply("Seen.")),
      });
      const tools = `import { tool, jsonSchema } from "codexwright";
        import { replay } from "codexwright/recording";
        import { wireScript } from "@codexwright/testing";
        if (typeof replay !== "function" || typeof wireScript !== "function") throw new Error("not lent");
        const input = jsonSchema({ type: "object", properties: {} });
        export default tool({ name: "look", description: "Looks.", input, run: () => "seen by the command's" });`;
      await writeFile(path.join(user.folder, "tools.mjs"), tools);
      const lent = await user.run(["run", "-q", "--tool", "tools.mjs", "Look"]);
      expect(lent).toEqual({ exitCode: 0, stdout: "Seen.\n", stderr: "" });
      expect(JSON.stringify(user.fake.requests.at(-1))).toContain("seen by the command's");
      const own = path.join(user.folder, "node_modules/codexwright");
      await mkdir(own, { recursive: true });
      await writeFile(
        path.join(own, "package.json"),
        '{"name":"codexwright","exports":"./index.js","type":"module"}',
      );
      await writeFile(
        path.join(own, "index.js"),
        'export const own = { name: "look", description: "Looks.", input: {}, run: () => "seen by their own" };',
      );
      await writeFile(
        path.join(user.folder, "own.mjs"),
        'import { own } from "codexwright"; export default [own];',
      );
      const { stderr } = await user.run(["run", "-q", "--tool", "own.mjs", "Look"]);
      // It failed because its input is not a schema, which shows that its own library was used.
      expect(stderr).not.toContain("does not provide an export");
      await writeFile(path.join(user.folder, "missing.mjs"), 'import "no-such-package";');
      const missing = await user.run(["run", "-q", "--tool", "missing.mjs", "Look"]);
      expect(missing.exitCode).toBe(2);
      expect(missing.stderr).toContain("no-such-package");
    },
    FAKE,
  );

  verifies(
    ["cli.run.tools", "cli.exit-codes"],
    "that cannot be loaded is reported with the reason",
    async () => {
      await using user = await newUser({ model: [] });
      await writeFile(path.join(user.folder, "broken.mjs"), 'throw new Error("no such database");');
      const { exitCode, stderr } = await user.run(["run", "--tool", "broken.mjs", "Look"]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain("--tool broken.mjs: Error: no such database");
    },
    FAKE,
  );
});

verifies(
  "cli.exec",
  "splits a command's output only between characters, and replaces an incomplete character at the end",
  async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (const piece of [[0xe2, 0x82], [0xac, 0x61], [0xe2], [0x82]]) {
        await Promise.resolve();
        yield Uint8Array.from(piece);
      }
    }
    const pieces: string[] = [];
    for await (const text of decoded(bytes())) pieces.push(text);
    expect(pieces).toEqual(["€a", "\uFFFD"]);
  },
);

verifies(
  ["cli.json", "cli.recordings.run"],
  "record and replay with --json reject a command that would print text",
  async () => {
    await using user = await newUser({ model: [] });
    const { exitCode, stdout } = await user.run(["record", "x.ndjson", "--json", "--", "models"]);
    expect(exitCode).toBe(2);
    expect(await jsonLines(stdout)).toMatchObject([{ type: "error", code: "usage" }]);
  },
  FAKE,
);

verifies(
  "cli.recordings.run",
  "rejects a recording that cannot be written before the command runs",
  async () => {
    await using user = await newUser({ model: [reply("Never asked for.")] });
    const { exitCode, stdout, stderr } = await user.run(["record", ".", "--", "run", "--quiet", "hello"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("recording_failed: cannot write .: EISDIR");
    expect(user.fake.requests).toEqual([]);
  },
  FAKE,
);
