import { execFile } from "node:child_process";
import path from "node:path";
import { expect } from "vitest";
import { otherUser } from "../system/other-user.ts";
import { verifies } from "@codexwright/test-support/verifies";

const LIB = path.resolve(import.meta.dirname, "../../../dist/lib");
const SCRIPT = path.join(import.meta.dirname, "exhaust.mjs");

interface Ending {
  readonly call: string;
  readonly left: number | "all";
  readonly outcome: string;
  readonly message?: string;
}

/** Returns the outcomes of calls in a process that has reached a limit of the system and must survive it. */
async function endings(
  limit: "descriptors" | "processes",
  user: { readonly uid?: number },
  calls: readonly string[] = [],
): Promise<Ending[]> {
  const line = 'ulimit -n 96 && exec "$0" "$@"';
  const stdout = await new Promise<string>((resolve) => {
    const args = ["-c", line, process.execPath, SCRIPT, LIB, limit, ...calls];
    execFile("sh", args, { cwd: "/", ...user }, (_error, output, errors) => resolve(output + errors));
  });
  return stdout
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as Ending);
}

/** A server without descriptors closes the connection. A client cannot distinguish that from other losses. */
function isAllowed({ call, outcome }: Ending): boolean {
  if (call.startsWith("connect") && outcome === "connection_closed") return true;
  return outcome === "done" || outcome === exhausted(call);
}

/** A recording that cannot be written has its own error, which also names the limit. */
function exhausted(call: string): string {
  return `${call === "record" ? "recording_failed" : "resource_exhausted"} EMFILE`;
}

for (const calls of [
  ["create", "dispose", "world", "model"],
  ["checkpoint", "firstCheckpoint"],
  ["diff", "revert"],
  ["read", "write", "list", "remove"],
  ["fakeProgram", "wireProgram", "record"],
  ["listenWs", "listenUnix", "connectWs", "connectUnix"],
])
  verifies(
    "security.s44",
    `without descriptors, ${calls.join(", ")} succeed or reject with resource_exhausted, and succeed when descriptors are free again`,
    async () => {
      const all = await endings("descriptors", {}, calls);
      expect(all.filter((each) => !isAllowed(each))).toEqual([]);
      const at = (left: number | "all"): Ending[] => all.filter((each) => each.left === left);
      for (const { call, outcome, message } of at(0)) {
        // Bun reports a rejected connection.
        if ("Bun" in globalThis && call === "connectUnix") continue;
        expect([call, outcome]).toEqual([call, exhausted(call)]);
        expect(message).toContain("ulimit -n");
      }
      for (const left of [12, "all"] as const)
        expect(at(left).map(({ outcome }) => outcome)).toEqual(calls.map(() => "done"));
    },
  );

// The limit is per user and does not apply to root.
const user = process.platform === "linux" && process.getuid?.() === 0 ? otherUser(SCRIPT) : undefined;
verifies(
  "security.s44",
  "without processes, a diff, which needs git, rejects with resource_exhausted",
  async () => {
    const all = await endings("processes", user ?? {});
    expect(all).toMatchObject([{ call: "diff", outcome: "resource_exhausted EAGAIN" }]);
    expect(all[0]?.message).toContain("ulimit -u");
  },
  { skip: user === undefined && "needs Linux, root and another user" },
);
