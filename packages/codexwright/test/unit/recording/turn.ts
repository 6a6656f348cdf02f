import path from "node:path";
import { CodexClient, jsonSchema, tool } from "codexwright";
import type { Replay } from "codexwright/recording";

/** A turn of Codex 0.166 with a client tool, a command that needs approval, and an answer. */
export const TURN_FILE: string = path.join(import.meta.dirname, "turn.ndjson");

export interface Outcome {
  readonly result: unknown;
  readonly state: unknown;
}

export interface TurnProgram {
  readonly input?: string;
  readonly decision?: "accept" | "decline";
  readonly found?: string;
}

/** Runs the program that was recorded, with the given changes. */
export async function runTurn(
  transport: Replay,
  { input = "go", decision = "accept", found = "found" }: TurnProgram = {},
): Promise<Outcome> {
  const codex = new CodexClient({
    transport,
    approvalPolicy: "untrusted",
    cwd: "/anywhere",
    onApproval: () => decision,
  });
  try {
    await codex.connect();
    const lookup = tool({
      name: "lookup",
      description: "x",
      input: jsonSchema({ type: "object", properties: { q: { type: "string" } } }),
      run: () => found,
    });
    const thread = await codex.startThread({ tools: [lookup] });
    const result = await thread.run(input);
    return { result, state: thread.state };
  } finally {
    await codex.disconnect();
  }
}
