import { expect } from "vitest";
import { reply } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { world } from "@codexwright/test-support/world";

for (const version of ["0.145.0", "0.155.0", "0.166.0"]) {
  const options = { against: `codex ${version}`, timeoutMs: 120_000 } as const;

  verifies(
    ["thread.confinement", "thread.unloaded"],
    `permissions apply at start, after archive and unarchive, and in a fork on ${version}`,
    async () => {
      await using live = await world(() => reply("Hello"), { codexPath: await codexBinary(version) });
      const { codex } = live;
      const confinement = async (threadId: string) => {
        const answer = await codex.request("thread/resume", { threadId });
        return [answer.sandbox.type, answer.activePermissionProfile?.id, answer.approvalPolicy];
      };
      const thread = await codex.startThread({ permissions: ":workspace" });
      await thread.run("one");
      const expected = ["workspaceWrite", ":workspace", "never"];
      expect(await confinement(thread.id)).toEqual(expected);
      await thread.archive();
      await thread.unarchive();
      await thread.run("two");
      expect(await confinement(thread.id)).toEqual(expected);
      const fork = await thread.fork({ approvalPolicy: "never" });
      await fork.run("three");
      expect(await confinement(fork.id)).toEqual(expected);
      const other = await thread.fork({ permissions: ":read-only" });
      await other.run("four");
      expect((await confinement(other.id)).slice(0, 2)).toEqual(["readOnly", ":read-only"]);
    },
    options,
  );

  verifies(
    ["thread.confinement", "thread.methods"],
    `on ${version}, null leaves sandbox and approvals to the configuration, and an ephemeral fork can run a turn`,
    async () => {
      await using live = await world(() => reply("Hello"), {
        codexPath: await codexBinary(version),
        client: {
          config: { approval_policy: "never", sandbox_mode: "danger-full-access" },
          approvalPolicy: "on-request",
        },
      });
      const { codex } = live;
      const thread = await codex.startThread({ sandbox: null, approvalPolicy: null });
      await thread.run("one");
      const { sandbox, approvalPolicy } = await codex.request("thread/resume", { threadId: thread.id });
      expect([sandbox.type, approvalPolicy]).toEqual(["dangerFullAccess", "never"]);
      const fork = await thread.fork({ ephemeral: true });
      expect(fork.ephemeral).toBe(true);
      expect((await fork.run("two")).agentMessage).toBe("Hello");
      expect(JSON.stringify(live.model.requests.at(-1)?.input)).toContain("one");
    },
    options,
  );
}
