import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { test } from "vitest";
import { PINNED_CODEX } from "../../scripts/codex-versions.ts";
import type { RequirementId } from "../requirements/index.ts";

/** What a test ran against: nothing but our code, our fake, or a real server: the pinned one, or one of this version. */
export type Against = "none" | "fake" | "pinned" | `codex ${string}`;

export interface VerifiesOptions {
  readonly against?: Against;
  readonly timeoutMs?: number;
}

const RESULTS = path.join(import.meta.dirname, "../../test-results/promises");

/** A test that shows promised behaviours; that it passed, where and on what is recorded for the table of promises. */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  run: () => void | Promise<void>,
  { against = "none", timeoutMs }: VerifiesOptions = {},
): void {
  /* oxlint-disable vitest/valid-title, vitest/expect-expect -- the title and the assertions are the caller's */
  test(
    title,
    async () => {
      await run();
      for (const id of [ids].flat()) record({ id, against, runtime: runtime(), title });
    },
    ...(timeoutMs === undefined ? [] : [timeoutMs]),
  );
}

function record(entry: { id: string; against: Against; runtime: string; title: string }): void {
  mkdirSync(RESULTS, { recursive: true });
  const against = entry.against === "pinned" ? `codex ${PINNED_CODEX}` : entry.against;
  // One file a process: parallel workers never write to the same one.
  appendFileSync(path.join(RESULTS, `${process.pid}.ndjson`), `${JSON.stringify({ ...entry, against })}\n`);
}

function runtime(): string {
  const { bun, node } = process.versions;
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
}
