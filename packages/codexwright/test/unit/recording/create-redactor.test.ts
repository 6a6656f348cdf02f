import fc from "fast-check";
import { expect } from "vitest";
import { createRedactor } from "codexwright/recording";
import { verifies } from "@codexwright/test-support/verifies";
import { leaks } from "./secrets.ts";

const secret = fc.string({
  unit: fc.constantFrom("a", "b", "X", "Z", "0", "9", "-", "_", "/", "+"),
  minLength: 8,
  maxLength: 40,
});

verifies("security.s92", "no given secret is left in a text or in JSON, in any encoding", () => {
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const redactor = createRedactor({ secrets: [value], env: { OTHER_TOKEN: `t${value}t` } });
      for (const form of [
        value,
        JSON.stringify(value),
        encodeURIComponent(value),
        Buffer.from(value).toString("base64"),
      ]) {
        const text = `${before} ${form} ${after}`;
        // A form that the surrounding text has by chance is not a leak.
        const known = new Set(leaks(`${before} ${after}`, [value]));
        const kept = [redactor.text(text), JSON.stringify(redactor.json({ a: [text], [form]: 1 }))];
        for (const each of kept) expect(leaks(each, [value]).filter((leak) => !known.has(leak))).toEqual([]);
      }
    }),
    { seed: 92, numRuns: 150 },
  );
});

verifies(
  "recording.redactor",
  "removes secrets by shape, by the names of variables and by the names of members",
  () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { text, json } = createRedactor({
      env: { MY_API_KEY: "value-of-the-key", HOME: "/home/me" },
      secrets: [/x-\d+/],
    });
    expect(text(`a ${token} b value-of-the-key /home/me x-12`)).toBe(
      "a [redacted:1] b [redacted:2] /home/me [redacted:3]",
    );
    expect(json({ apiKey: "hunter2hunter2", list: [token, 1, null, true], name: "n" })).toEqual({
      apiKey: expect.stringMatching(/^\[redacted:\d+\]$/) as string,
      list: ["[redacted:1]", 1, null, true],
      name: "n",
    });
    // A secret that was found by its name is found elsewhere later.
    expect(text("again hunter2hunter2")).toMatch(/^again \[redacted:\d+\]$/);
  },
);

verifies(
  "security.s92",
  "a value that cannot be represented in JSON is refused, and other values are copies",
  () => {
    const { text, json } = createRedactor();
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = [cyclic, cyclic];
    const thrown = {
      toJSON(): never {
        throw new Error("secret");
      },
    };
    let deep: unknown = [];
    for (let depth = 0; depth < 200_000; depth++) deep = [deep];
    for (const value of [undefined, () => {}, Symbol("x"), 5n, cyclic, thrown, deep]) {
      expect(() => json(value)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    }
    for (const value of [5, null, undefined, {}])
      expect(() => text(value as never)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    expect(json(JSON.parse('{"__proto__": {"a": 1}}'))).toEqual(JSON.parse('{"__proto__": {"a": 1}}'));
    const given = { a: [new Date(0), "b"] };
    expect(json(given)).toEqual({ a: ["1970-01-01T00:00:00.000Z", "b"] });
    expect(() => createRedactor({ secrets: [""] })).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  },
);

verifies(
  "security.s92",
  "the newest secrets that were found are known, and given secrets are never forgotten",
  () => {
    const redactor = createRedactor({ secrets: ["given-secret-one"] });
    redactor.json({ apiKey: "found-secret-one" });
    expect(redactor.text("found-secret-one given-secret-one")).toMatch(/^\[redacted:\d+\] \[redacted:\d+\]$/);
    for (let at = 0; at < 5_000; at++) redactor.json({ apiKey: `found-${at}-more` });
    // So many secrets have been found since then that this one was dropped: the memory is bounded.
    expect(redactor.text("found-secret-one found-4999-more given-secret-one")).toMatch(
      /^found-secret-one \[redacted:\d+\] \[redacted:\d+\]$/,
    );
  },
);
