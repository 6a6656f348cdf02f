import type { Requirement } from "./requirement.ts";

/** A server without a binary, and scenarios for it and others. */
export const FAKE = [
  {
    id: "testing.wire-script",
    source: "api.md Testing",
    statement: "A line script is played as a server, in memory and as an executable.",
  },
  {
    id: "conformance.scenarios",
    source: "issue 5 5",
    statement: "Every scenario holds on the fake and on real servers, over every transport.",
  },
  {
    id: "conformance.differential",
    source: "issue 5 5",
    statement:
      "In every scenario that both can run the fake says what the real server says, but for at most 10 listed differences.",
  },
  {
    id: "conformance.kit",
    source: "issue 5 6",
    statement:
      "Scenarios run against servers and clients of users': failures, hangs and what cannot be run are told apart.",
  },
  {
    id: "testing.fake.words",
    source: "issue 5",
    statement:
      "A fake app-server plays turns from the words of a scripted model: text, reasoning, plans, commands, patches, MCP and client tools, questions, sub-agents.",
  },
  {
    id: "testing.fake.home",
    source: "issue 5",
    statement:
      "A fake app-server keeps threads in memory, or in a home that outlives it; it leaves nothing else behind.",
  },
  {
    id: "testing.fake.transports",
    source: "issue 5",
    statement:
      "A fake app-server is reached in memory, over websockets and unix sockets, and as a program for codexPath.",
  },
  {
    id: "testing.fake.faults",
    source: "issue 5",
    statement:
      "A fake app-server crashes, stalls, overloads, starts slowly, and sends bad, huge, doubled, early or no lines where it is told to.",
  },
  {
    id: "testing.fake.dialects",
    source: "issue 5, spec 004, protocol.md 2.5",
    statement: "A fake app-server speaks the protocol of 0.98 and that of November 2025.",
  },
  {
    id: "testing.fake.errors",
    source: "issue 5",
    statement:
      "What the script of a fake app-server did not foresee fails the turn and is kept for the test.",
  },
] as const satisfies readonly Requirement[];
