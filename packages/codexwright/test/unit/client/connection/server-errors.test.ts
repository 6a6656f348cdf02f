import { expect } from "vitest";
import { RpcError } from "../../../../src/rpc/errors.ts";
import { named } from "../../../../src/client/connection/server/server-errors.ts";
import { verifies } from "@codexwright/test-support/verifies";

const ID = "01a1e1c9-dc11-7020-9c64-621ea0d80617";

/** Error messages of servers from 0.98 to 0.166. The servers use one error code for all of them. */
const WORDS: readonly (readonly [code: string, text: string])[] = [
  ["no_rollout", `no rollout found for thread id ${ID}`],
  ["no_rollout", "list_turns is not supported yet"],
  [
    "no_rollout",
    `thread ${ID} is not materialized yet; includeTurns is unavailable before first user message`,
  ],
  // The text for a loaded thread whose file is gone.
  ["no_rollout", `invalid paginated history lineage for ${ID}: missing source rollout`],
  ["thread_not_found", `thread not found: ${ID}`],
  ["thread_not_found", `thread not loaded: ${ID}`],
  ["thread_archived", `session ${ID} is archived`],
  ["active_writer", `session ${ID} already has an active writer`],
  ["no_active_turn", "no active turn to steer"],
  ["rpc", `invalid paginated history lineage for ${ID}: cycle detected`],
];

verifies("thread.errors", "maps a refusal to an error code by its text", () => {
  for (const [code, text] of WORDS) {
    const error = named(new RpcError("thread/read", { code: -32600, message: text }));
    expect(error).toMatchObject({ code, message: text });
  }
});
