import fc from "fast-check";
import { describe, expect } from "vitest";
import { FleetLog, loadRedactor, type LogSink } from "@codexwright/orchestrator/internal";
import { verifies } from "../../../../test-support/src/verifies.ts";

const NOW = new Date("2026-02-24T20:15:30Z");

const HOSTILE = '\n \r \0 \u001B \u009B \u2028 \u2029 \u202E \u2066 \u007F \u0085 " \\ = a'.split(
  /(?<=.) (?=.)/su,
);

function logTo(sinks: readonly LogSink[], format: "text" | "json" = "text", clean = (text: string) => text) {
  return new FleetLog({ sinks, format, clean, now: () => NOW });
}

describe("the log", () => {
  verifies(
    ["fleet.observe.line", "symphony.17.6.context"],
    "writes the context of an issue as pairs, or as JSON",
    () => {
      const lines: string[] = [];
      const fields = {
        issue_id: "1",
        issue_identifier: "ABC-1",
        session_id: "t-u",
        outcome: "failed",
        reason: "turn failed",
        run_id: null,
      };
      logTo([(line) => void lines.push(line)]).write("info", "run.ended", "run ended", fields);
      logTo([(line) => void lines.push(line)], "json").write("info", "run.ended", "run ended", fields);
      expect(lines[0]).toBe(
        `time=2026-02-24T20:15:30.000Z level=info event=run.ended issue_id=1 issue_identifier=ABC-1 session_id=t-u outcome=failed reason="turn failed" msg="run ended"`,
      );
      const { run_id: _, ...kept } = fields;
      expect(JSON.parse(lines[1] ?? "")).toEqual({
        time: NOW.toISOString(),
        level: "info",
        event: "run.ended",
        ...kept,
        msg: "run ended",
      });
    },
  );

  verifies("fleet.observe.one-line", "a value cannot end its line, add a pair or reach the terminal", () => {
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...HOSTILE),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(hostile, fc.constantFrom("text" as const, "json" as const), (value, format) => {
        const lines: string[] = [];
        const log = logTo([(line) => void lines.push(line)], format);
        log.write("warn", "warning", value, { reason: value, issue_id: value, issue_identifier: value });
        expect(log.lost).toBe(0);
        const [line = ""] = lines;
        // oxlint-disable-next-line no-control-regex -- these must not be there
        expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/);
        const read = format === "json" ? (JSON.parse(line) as Record<string, string>) : pairsOf(line);
        expect(Object.keys(read)).toEqual([
          "time",
          "level",
          "event",
          "reason",
          "issue_id",
          "issue_identifier",
          "msg",
        ]);
        expect(read["reason"]).toBe(value);
      }),
    );
    const lines: string[] = [];
    logTo([(line) => void lines.push(line)]).write("info", "warning", "x".repeat(100_000));
    expect(lines[0]?.length).toBeLessThan(2_500);
  });

  verifies("fleet.observe.redacted", "a secret is not written, in whatever field it is", async () => {
    const secret = "correct-horse-battery-staple";
    const shaped = `ghp_${"0aB9zY8xW7".repeat(4).slice(0, 36)}`;
    const lines: string[] = [];
    const write = (clean: (text: string) => string): void =>
      logTo([(line) => void lines.push(line)], "text", clean).write("info", "warning", `a ${secret}`, {
        reason: Buffer.from(secret).toString("base64"),
        nested: { list: [shaped] },
      });
    write((text) => text);
    expect(lines[0]).toContain(secret);
    expect(lines[0]).toContain(shaped);
    const redactor = await loadRedactor();
    redactor.learn([secret]);
    write(redactor.clean);
    expect(lines[1]).not.toContain(secret);
    expect(lines[1]).not.toContain(Buffer.from(secret).toString("base64"));
    expect(lines[1]).not.toContain(shaped);
  });

  verifies(
    ["fleet.observe.sinks", "symphony.17.6.sinks"],
    "a failing sink costs its lines, and the others receive one warning",
    async () => {
      const lines: string[] = [];
      const log = logTo([
        () => {
          throw new Error("broken");
        },
        async () => await Promise.reject(new Error("later")),
        (line) => void lines.push(line),
      ]);
      for (const message of ["one", "two", "three"]) {
        log.write("info", "warning", message);
        await Promise.resolve();
      }
      await new Promise(setImmediate);
      expect(lines.filter((line) => /msg=(one|two|three)$/.test(line))).toHaveLength(3);
      expect(lines.filter((line) => line.includes("a log sink fails"))).toHaveLength(2);
      const alone = logTo([
        () => {
          throw new Error("broken");
        },
      ]);
      alone.write("info", "warning", "one");
      expect(alone.lost).toBe(1);
    },
  );
});

/** Reads a line as a log system does: bare words and JSON strings. */
function pairsOf(line: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  const pair = /(\w+)=("(?:[^"\\]|\\.)*"|[^\s"]+)(?: |$)/gy;
  while (pair.lastIndex < line.length) {
    const [, key = "", value = ""] = pair.exec(line) ?? [];
    expect(key).not.toBe("");
    pairs[key] = value.startsWith('"') ? (JSON.parse(value) as string) : value;
  }
  return pairs;
}
