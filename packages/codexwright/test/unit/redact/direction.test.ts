import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { taped } from "../recording/wire.ts";

/** The limit of one generation of values from the peer. It was once the limit for all learned values. */
const CAP = 2_048;

verifies(
  "security.s51",
  "still finds a token that this side sent, after a peer has sent 100 times as many tokens as are kept",
  async () => {
    const { transport, wire, channel, lines } = await taped({ secrets: ["configured at start"] });
    await channel.send(JSON.stringify({ id: 1, method: "first", params: { token: "first-of-ours" } }));
    for (let each = 0; each < 100 * CAP; each += 1_024) {
      const made = Array.from({ length: 1_024 }, (_, index) => ({ token: `made-up-${each + index}` }));
      wire.say({ method: "flood", params: { made } });
    }
    await channel.send(JSON.stringify({ id: 2, method: "later", params: { password: "later-of-ours" } }));
    lines.length = 1;
    const quoted = "first-of-ours, later-of-ours, configured at start, made-up-204799, made-up-1";
    wire.say({ method: "warning", params: { message: quoted } });
    await transport.flush();
    const text = JSON.stringify(lines);
    for (const secret of ["first-of-ours", "later-of-ours", "configured at start", "made-up-204799"])
      expect(text).not.toContain(secret);
    // The oldest peer values are forgotten because of the limit.
    expect(text).toContain("made-up-1");
  },
  { timeoutMs: 60_000 },
);

verifies(
  "security.s51",
  "finds every one of 3,000 tokens that this side sends",
  async () => {
    const { transport, wire, channel, lines } = await taped();
    const tokens = Array.from({ length: 3_000 }, (_, each) => `ours-${each}-token`);
    for (const token of tokens) await channel.send(JSON.stringify({ id: 1, method: "x", params: { token } }));
    lines.length = 1;
    wire.say({ method: "warning", params: { message: tokens.join(" ") } });
    await transport.flush();
    expect(tokens.filter((token) => JSON.stringify(lines).includes(token))).toEqual([]);
  },
  { timeoutMs: 60_000 },
);

verifies(
  "security.s51",
  "a secret that this side sends again has the same placeholder, whatever the peer has sent in between",
  async () => {
    const { transport, wire, channel, lines } = await taped();
    const ask = { id: 1, method: "x", params: { token: "ours-and-only-ours" } };
    await channel.send(JSON.stringify(ask));
    for (let each = 0; each < 20; each++) {
      const made = Array.from({ length: 4_096 }, (_, index) => ({ token: `made-up-${each}-${index}` }));
      wire.say({ method: "flood", params: { made } });
    }
    await channel.send(JSON.stringify(ask));
    await transport.flush();
    const [first, last] = [lines[1], lines.at(-1)].map((line) => JSON.stringify((line as never)["message"]));
    expect(last).toBe(first);
  },
  { timeoutMs: 60_000 },
);

verifies(
  "security.s51",
  "redacts secret answers however many secret questions are open",
  async () => {
    const { transport, wire, channel, lines } = await taped();
    const questions = [{ id: "q", isSecret: true }];
    for (let id = 0; id < 3_000; id++)
      wire.say({ id, method: "item/tool/requestUserInput", params: { questions } });
    for (const id of [0, 1_500, 2_999])
      await channel.send(JSON.stringify({ id, result: { answers: { q: { answers: [`pin ${id}`] } } } }));
    await transport.flush();
    expect(JSON.stringify(lines)).not.toMatch(/pin \d/);
  },
  { timeoutMs: 60_000 },
);
