import { mkdir, readdir, rename, symlink } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { nodePlatform } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { worldOf, type World } from "./world.ts";

type Answer = (permissions: { fileSystem: { write?: string[] | null } | null }) => {
  permissions: object;
  scope: "turn" | "session";
};

interface Asked {
  readonly reason: string | null | undefined;
  readonly permissions: unknown;
}

function answering(world: World, answer: Answer): Asked[] {
  const asked: Asked[] = [];
  world.codex.onServerRequest("item/permissions/requestApproval", ({ reason, permissions }) => {
    asked.push({ reason, permissions });
    return answer(permissions);
  });
  return asked;
}

const everything =
  (scope: "turn" | "session"): Answer =>
  (permissions) => ({ permissions, scope });

/** Whether a patch in this folder is applied without a question. */
async function writes(
  world: World,
  thread: Awaited<ReturnType<World["start"]>>,
  folder: string,
): Promise<boolean> {
  world.codex.onServerRequest("item/fileChange/requestApproval", () => ({ decision: "decline" }));
  const output = await world.patch(thread, `*** Add File: ${path.join(folder, `f${Math.random()}`)}\n+x`);
  return output.includes("Success");
}

const request = (write: readonly string[], network = false): object => ({
  reason: "why",
  permissions: { file_system: { write }, network: { enabled: network } },
});

verifies(
  "engine.approvals.grants",
  "a folder granted for the session is writable, and nothing else",
  async () => {
    await using world = await worldOf();
    const asked = answering(world, everything("session"));
    const thread = await world.start({ approvalPolicy: "on-request" });
    await mkdir(path.join(world.outside, "sub"));
    expect(await writes(world, thread, path.join(world.outside, "sub"))).toBe(false);
    const output = JSON.parse(await world.run(thread, "request_permissions", request(["../outside/sub"])));
    expect(output).toMatchObject({
      permissions: { file_system: { write: [path.join(world.outside, "sub")] }, network: null },
      scope: "session",
    });
    expect(asked).toMatchObject([{ reason: "why" }]);
    expect(await writes(world, thread, path.join(world.outside, "sub"))).toBe(true);
    expect(await writes(world, thread, path.join(world.outside, "sub/.git"))).toBe(false);
    expect(await writes(world, thread, world.outside)).toBe(false);
    // Another thread has no part in it.
    expect(
      await writes(
        world,
        await world.start({ approvalPolicy: "on-request" }),
        path.join(world.outside, "sub"),
      ),
    ).toBe(false);
  },
);

verifies("engine.approvals.grants", "a grant for a turn ends with the turn", async () => {
  await using world = await worldOf();
  answering(world, everything("turn"));
  const thread = await world.start({ approvalPolicy: "on-request" });
  world.codex.onServerRequest("item/fileChange/requestApproval", () => ({ decision: "decline" }));
  const patch = `*** Begin Patch\n*** Add File: ${path.join(world.outside, "a")}\n+x\n*** End Patch`;
  const [granted, patched] = await world.runAll(thread, [
    ["request_permissions", request([world.outside])],
    ["apply_patch", { input: patch }],
  ]);
  expect(JSON.parse(granted ?? "")).toMatchObject({ scope: "turn" });
  expect(patched).toContain("Success");
  expect(await writes(world, thread, world.outside)).toBe(false);
});

verifies(
  "engine.approvals.grants",
  "under never and a granular policy without these questions, nothing is granted",
  async () => {
    await using world = await worldOf();
    const asked = answering(world, everything("session"));
    const granular = { sandbox_approval: true, rules: true, skill_approval: true, mcp_elicitations: true };
    for (const approvalPolicy of ["never", { granular: { ...granular, request_permissions: false } }]) {
      const thread = await world.start({ approvalPolicy });
      const output = JSON.parse(
        await world.run(thread, "request_permissions", request([world.outside], true)),
      );
      expect(output).toEqual({ permissions: { network: null, file_system: null }, scope: "turn" });
    }
    expect(asked).toEqual([]);
  },
);

verifies("security.s86", "an answer cannot grant more than was requested", async () => {
  await using world = await worldOf();
  const answers: readonly object[] = [
    { fileSystem: { write: ["/", world.outside, world.home] } },
    { fileSystem: { entries: [{ path: { type: "path", path: "/" }, access: "write" }] } },
    { fileSystem: { entries: [{ path: { type: "special", value: { kind: "root" } }, access: "write" }] } },
    { fileSystem: { write: [path.join(world.outside, "sub")], entries: [] }, network: { enabled: true } },
    { fileSystem: "all", network: true },
  ];
  for (const permissions of answers) {
    answering(world, () => ({ permissions, scope: "session" }));
    const thread = await world.start({ approvalPolicy: "on-request" });
    const output = JSON.parse(await world.run(thread, "request_permissions", request(["../outside/sub"])));
    expect(output.permissions.network).toBeNull();
    expect(output.permissions.file_system?.write ?? []).toEqual([]);
    expect(await writes(world, thread, path.join(world.outside, "sub"))).toBe(false);
    expect(await writes(world, thread, world.outside)).toBe(false);
  }
});

verifies(
  "security.s86",
  "links are followed before the question, and a granted folder that becomes a link is dropped",
  async () => {
    await using world = await worldOf();
    const asked = answering(world, everything("session"));
    const thread = await world.start({ approvalPolicy: "on-request" });
    const inner = path.join(world.root, "inner");
    await mkdir(inner);
    await symlink(inner, path.join(world.work, "harmless"));
    const output = JSON.parse(await world.run(thread, "request_permissions", request(["harmless"])));
    expect(output.permissions.file_system.write).toEqual([inner]);
    expect(asked[0]?.reason).toBe(
      `why\nThrough links: ${path.join(world.work, "harmless")} leads to ${inner}`,
    );
    expect(JSON.stringify(asked[0]?.permissions)).not.toContain("harmless");
    expect(await writes(world, thread, inner)).toBe(true);
    await rename(inner, path.join(world.root, "moved"));
    await symlink(world.outside, inner);
    expect(await writes(world, thread, inner)).toBe(false);
    expect(await writes(world, thread, world.outside)).toBe(false);
    expect(await readdir(world.outside)).toEqual([]);
  },
);

verifies(
  "security.s86",
  "the home and the code of the server cannot be granted, and stay read-only below a granted folder",
  async () => {
    await using world = await worldOf(({ root }) => ({
      platform: { ...nodePlatform(), tmpdir: undefined, ownCode: () => [path.join(root, "outside/code")] },
    }));
    const asked = answering(world, everything("session"));
    const thread = await world.start({ approvalPolicy: "on-request" });
    const code = path.join(world.outside, "code");
    await mkdir(path.join(code, "lib"), { recursive: true });
    await symlink(world.home, path.join(world.work, "link"));
    for (const folder of [
      world.home,
      path.join(world.home, "rules"),
      code,
      path.join(code, "lib"),
      "link",
      "link/sessions",
    ]) {
      expect(await world.run(thread, "request_permissions", request([world.work, folder]))).toContain(
        "cannot be granted",
      );
    }
    expect(asked).toEqual([]);
    await world.run(thread, "request_permissions", request([world.root]));
    expect(asked.length).toBe(1);
    expect(await writes(world, thread, world.outside)).toBe(true);
    for (const folder of [
      world.home,
      path.join(world.home, "rules"),
      path.join(code, "lib"),
      path.join(world.work, ".git"),
    ]) {
      expect([folder, await writes(world, thread, folder)]).toEqual([folder, false]);
    }
  },
);
