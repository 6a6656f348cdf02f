import type { Requirement } from "./requirement.ts";

/** A server without a binary, and scenarios for it and others. */
export const FAKE = [
  {
    id: "testing.wire-script",
    statement: "A line script is played as a server, in memory and as an executable.",
  },
  {
    id: "conformance.scenarios",
    statement: "Every scenario holds on the fake and on real servers, over every transport.",
  },
  {
    id: "conformance.differential",
    statement:
      "In every scenario that both can run the fake says what the real server says, but for at most 10 listed differences.",
  },
  {
    id: "conformance.kit",
    statement:
      "Scenarios run against servers and clients of users': failures, hangs and what cannot be run are told apart.",
  },
  {
    id: "testing.fake.words",
    statement:
      "A fake app-server plays turns from the words of a scripted model: text, reasoning, plans, commands, patches, MCP and client tools, questions, sub-agents.",
  },
  {
    id: "testing.fake.home",
    statement:
      "A fake app-server keeps threads in memory, or in a home that outlives it; it leaves nothing else behind.",
  },
  {
    id: "testing.fake.transports",
    statement:
      "A fake app-server is reached in memory, over websockets and unix sockets, and as a program for codexPath.",
  },
  {
    id: "testing.fake.faults",
    statement:
      "A fake app-server crashes, stalls, overloads, starts slowly, and sends bad, huge, doubled, early or no lines where it is told to.",
  },
  {
    id: "testing.fake.faults.refused",
    statement:
      "A fake app-server refuses a fault that cannot happen: an unknown message, a kind that does not apply to it, a wrong value; the error names the nearest name.",
  },
  {
    id: "testing.fake.faults.late",
    statement:
      "A message that a fault delays comes late, and what is written after it comes after it; other threads go on while a request is late.",
  },
  {
    id: "testing.fake.pace",
    statement:
      "A fake app-server writes the steps of a turn apart from each other, the answer that starts it first, on every transport.",
  },
  {
    id: "testing.fake.methods",
    statement:
      "A fake app-server lists the methods that it plays; supports() has no other, and another is answered as the real server answers an unknown method.",
  },
  {
    id: "testing.fake.auto-review",
    statement:
      "With approvals reviewed automatically a fake app-server asks its model for the verdict, and no client, as the real server does.",
  },
  {
    id: "testing.fake.foreign",
    statement:
      "Other clients of the app-server complete a turn with an approval on the program of a fake as on the real server.",
  },
  {
    id: "testing.fake.dialects",
    statement: "A fake app-server speaks the protocol of 0.98 and that of November 2025.",
  },
  {
    id: "testing.fake.errors",
    statement:
      "What the script of a fake app-server did not foresee fails the turn and is kept for the test.",
  },
] as const satisfies readonly Requirement[];
