import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { test } from "vitest";
import { checkId } from "./requirements/index.ts";
import { PINNED_CODEX } from "../../../scripts/codex-versions.ts";

/** The subject of a test: only our code, our fake, or a real server (the pinned one, or one of this version). */
export type Against = "none" | "fake" | "pinned" | `codex ${string}`;

export interface VerifiesOptions {
  readonly against?: Against;
  readonly timeoutMs?: number;
  /** Why the test cannot run here. It is then reported and recorded as skipped. See skips.ts. */
  readonly skip?: string | false;
}

const RESULTS = path.join(import.meta.dirname, "../../../test-results/promises");

/**
 * Declares a test for requirements of docs/spec, named by their ids. If the test passes or is skipped, writes a record
 * with the server and the runtime. The table of requirements is made from these records. Throws if docs/spec does not
 * have an id.
 */
export function verifies(
  ids: string | readonly string[],
  title: string,
  run: () => void | Promise<void>,
  { against = "none", timeoutMs, skip = false }: VerifiesOptions = {},
): void {
  for (const id of [ids].flat()) checkId(id);
  const done = (skipped?: string): void => {
    for (const id of [ids].flat()) record({ id, against, runtime: runtime(), title, skipped });
  };
  if (skip !== false) done(skip);
  /* oxlint-disable vitest/valid-title, vitest/expect-expect -- the title and the assertions are the caller's */
  test.skipIf(skip !== false)(
    skip === false ? title : `${title} (skipped: ${skip})`,
    async () => {
      await run();
      done();
    },
    ...(timeoutMs === undefined ? [] : [timeoutMs]),
  );
}

function record(entry: {
  id: string;
  against: Against;
  runtime: string;
  title: string;
  skipped: string | undefined;
}): void {
  mkdirSync(RESULTS, { recursive: true });
  const against = entry.against === "pinned" ? `codex ${PINNED_CODEX}` : entry.against;
  // One file per process, so that parallel workers never write to the same file.
  appendFileSync(path.join(RESULTS, `${process.pid}.ndjson`), `${JSON.stringify({ ...entry, against })}\n`);
}

function runtime(): string {
  const { bun, node } = process.versions;
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
}
