import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect } from "vitest";
import { parse } from "smol-toml";
import { configFiles } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { temporaryPlace } from "../../unit/node/place.ts";

const PROGRAM = path.join(import.meta.dirname, "writer.mjs");
const DIST = createRequire(import.meta.url).resolve("@codexwright/engine/node");
const WRITERS = 4;
const EACH = 12;

verifies(
  "engine.config.writers",
  "engines of several processes lose no change of each other, or of another program",
  async () => {
    await using place = temporaryPlace();
    const file = path.join(place.home, "config.toml");
    writeFileSync(file, "# kept\nother = 0\n");
    const ends = Array.from({ length: WRITERS }, async (_, n) => {
      const child = spawn(process.execPath, [PROGRAM, DIST, place.home, String(n), String(EACH)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    });
    expect(await Promise.all(ends)).toEqual(Array.from({ length: WRITERS }, () => 0));
    const keys = Object.fromEntries(Array.from({ length: EACH }, (_, i) => [`key_${i}`, i]));
    const writers = Array.from({ length: WRITERS }, (_, n) => [`writer_${n}`, keys]);
    expect(parse(readFileSync(file, "utf8"))).toEqual({ other: 0, ...Object.fromEntries(writers) });
    expect(readFileSync(file, "utf8")).toContain("# kept");
    expect(readdirSync(place.home)).toEqual(["config.toml"]);
  },
  { timeoutMs: 120_000 },
);

verifies(
  "engine.config.writers",
  "a killed writer leaves a whole file, and delays later writes for seconds at most",
  async () => {
    await using place = temporaryPlace();
    const file = path.join(place.home, "config.toml");
    writeFileSync(file, "# kept\n");
    for (let n = 0; n < 5; n++) {
      const child = spawn(process.execPath, [PROGRAM, DIST, place.home, String(n), "1000"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      for (let more = 0; more < n; more++) await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(parse(readFileSync(file, "utf8"))).toHaveProperty(`writer_${n}.key_0`, 0);
      // As if ten seconds had passed since then.
      for (const name of readdirSync(place.home)) utimesSync(path.join(place.home, name), 0, 0);
    }
    const files = configFiles({ home: place.home, cwd: place.home, overrides: [] });
    await files.write([{ keyPath: "last", value: 1, mergeStrategy: "replace" }], {});
    expect(parse(readFileSync(file, "utf8"))).toHaveProperty("last", 1);
    expect(readdirSync(place.home)).toEqual(["config.toml"]);
  },
  { timeoutMs: 120_000 },
);
