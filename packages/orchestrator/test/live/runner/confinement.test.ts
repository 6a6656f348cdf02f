import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { applyPatch, exec, reply, type ModelRequest } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { runWorld } from "../../support/run-world.ts";

const ENGINE = path.resolve(import.meta.dirname, "../../../../cli/dist/codexwright.js");

type World = Awaited<ReturnType<typeof runWorld>>;

/** The app-servers of the claims. */
const SERVERS: Readonly<Record<string, (world: World) => { command?: string }>> = {
  Codex: () => ({}),
  "our engine": (world) => ({ command: world.commandWith(`'${process.execPath}' '${ENGINE}' app-server`) }),
};

const FULL_ACCESS = { threadSandbox: "danger-full-access" } as const;

const PATCH = "*** Begin Patch\n*** Add File: ../neighbour/patched\n+stolen\n*** End Patch";

/** The output of commands, as the model got it. */
function outputsIn(requests: readonly ModelRequest[]): string {
  const { input = [] } = (requests.at(-1)?.body ?? {}) as { input?: readonly { type: string }[] };
  return JSON.stringify(input.filter(({ type }) => type.endsWith("_call_output")));
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

const SECRET = "plain-word-secret-of-the-tracker";
const NAMES = ["CODEXWRIGHT_TEST_TOKEN", "codexwright_test_token", "PGPASSWORD_OF_TEST"];
const LOOKS = [
  "env; set; export -p",
  "printenv CODEXWRIGHT_TEST_TOKEN codexwright_test_token PGPASSWORD_OF_TEST",
  "bash -lc env; sh -c env; env -i bash -lc env",
  "cat /proc/self/environ /proc/$PPID/environ /proc/1/environ",
  "cat /proc/[0-9]*/environ; cat /proc/[0-9]*/task/[0-9]*/environ",
  "ps axeww",
];

for (const [name, server] of Object.entries(SERVERS))
  describe(`an agent on ${name}`, () => {
    verifies(
      "security.s111",
      "does not find the secrets of the tracker in any environment",
      async () => {
        const script = LOOKS.map((look) => `{ ${look}; } 2>&1 | tr '\\0' '\\n' | grep -a '${SECRET}'`);
        const command = `${script.join("; ")}; true`.replaceAll(
          SECRET,
          `${SECRET.slice(0, 5)}[${SECRET[5]}]`,
        );
        await using world = await runWorld([exec(command), reply("done"), exec(command), reply("done")]);
        const secrets = Object.fromEntries(NAMES.map((each) => [each, SECRET]));
        // A process that was started with the secrets, as the fleet is.
        const fleet = spawn("sleep", ["600"], { env: { ...process.env, ...secrets } });
        Object.assign(process.env, secrets);
        try {
          const codex = server(world);
          const run = await world.run({ secretEnv: NAMES, codex });
          expect(run.outcome.kind).toBe("completed");
          expect(outputsIn(world.model.requests)).not.toContain(SECRET);
          await world.run({ secretEnv: NAMES, codex: { ...codex, ...FULL_ACCESS } });
          expect(outputsIn(world.model.requests)).toContain(SECRET);
        } finally {
          for (const each of NAMES) delete process.env[each];
          await ended(fleet);
        }
      },
      PINNED,
    );

    verifies(
      "security.s112",
      "cannot reach the HTTP API, whatever it reads",
      async () => {
        let requests = 0;
        const api = createServer((_, response) => {
          requests++;
          response.end("accepted");
        }).listen(0, "127.0.0.1");
        await once(api, "listening");
        const { port } = api.address() as AddressInfo;
        const request = String.raw`POST /api/v1/pause HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
        const ways = [
          `exec 3<>/dev/tcp/127.0.0.1/${port} && printf '${request}' >&3 && cat <&3`,
          `exec 3<>/dev/tcp/localhost/${port} && printf '${request}' >&3 && cat <&3`,
          `curl -s -X POST http://127.0.0.1:${port}/api/v1/pause`,
          `'${process.execPath}' -e 'fetch("http://127.0.0.1:${port}/api/v1/drain", { method: "POST" }).then((a) => a.text()).then(console.log)'`,
          `env -u CODEX_SANDBOX -u CODEX_SANDBOX_NETWORK_DISABLED bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && printf "${request}" >&3 && cat <&3'`,
        ];
        const command = `${ways.map((way) => `(${way})`).join("; ")}; cat ../../state/token; true`;
        try {
          await using world = await runWorld([exec(command), reply("done"), exec(command), reply("done")]);
          await mkdir(world.stateFolder, { recursive: true });
          await writeFile(path.join(world.stateFolder, "token"), "token-of-the-fleet\n", { mode: 0o600 });
          const codex = server(world);
          await world.run({ codex });
          expect(outputsIn(world.model.requests)).not.toContain("accepted");
          expect(requests).toBe(0);
          // It can read the file of the token: that alone is of no use.
          expect(outputsIn(world.model.requests)).toContain("token-of-the-fleet");
          await world.run({ codex: { ...codex, ...FULL_ACCESS } });
          expect(outputsIn(world.model.requests)).toContain("accepted");
          expect(requests).toBeGreaterThanOrEqual(3);
        } finally {
          api.close();
          await once(api, "close");
        }
      },
      PINNED,
    );

    verifies(
      "security.s114",
      "changes nothing outside of its workspace and its temporary folder",
      async () => {
        const shared = path.join(tmpdir(), `codexwright-shared-${process.pid}-${name.length}`);
        const script = (root: string, pid: number): string =>
          [
            "touch inside",
            "echo stolen >> ../neighbour/work",
            "unlink ../neighbour/work",
            "mkdir ../another",
            `echo changed >> '${root}/WORKFLOW.md'`,
            `echo changed >> '${root}/issues/ABC-2.md'`,
            `echo changed >> '${root}/state/token'`,
            `touch '${shared}'`,
            "ln -s ../neighbour link; echo stolen >> link/work",
            "ln ../neighbour/work hard && echo stolen >> hard",
            "mv ../neighbour ../moved",
            // Not with full access: a server whose folder is gone ends late.
            'test -w .. || mv "$PWD" ../renamed',
            `kill -9 ${pid}`,
            "mkdir -p deep/er && cd deep/er && echo stolen >> ../../../neighbour/work",
          ]
            .map((line) => `(${line})`)
            .join("; ")
            .concat("; true");
        const victim = spawn("sleep", ["600"]);
        try {
          let root = "";
          let step = 0;
          await using world = await runWorld(() => {
            step++;
            if (step % 3 === 1) return exec(script(root, victim.pid ?? 0));
            return step % 3 === 2 ? applyPatch(PATCH) : reply("done");
          });
          root = world.server.root;
          const files = {
            "workspaces/neighbour/work": "mine",
            "issues/ABC-2.md": "mine",
            "state/token": "mine",
            "WORKFLOW.md": "mine",
          };
          for (const [file, text] of Object.entries(files)) {
            await mkdir(path.dirname(path.join(root, file)), { recursive: true });
            await writeFile(path.join(root, file), text);
          }
          const codex = server(world);
          const run = await world.run({ codex });
          expect(run.outcome.kind).toBe("completed");
          expect(await readdir(run.totals.workspacePath ?? "")).toContain("inside");
          for (const [file, text] of Object.entries(files))
            expect([file, await readFile(path.join(root, file), "utf8")]).toEqual([file, text]);
          expect((await readdir(world.root)).filter((each) => !each.startsWith("."))).toEqual([
            "ONE-1",
            "neighbour",
          ]);
          expect(await readdir(path.join(world.root, "neighbour"))).toEqual(["work"]);
          expect(existsSync(shared)).toBe(false);
          expect(victim.exitCode ?? victim.signalCode).toBeNull();
          await world.run({ codex: { ...codex, ...FULL_ACCESS } });
          expect(await readFile(path.join(root, "WORKFLOW.md"), "utf8")).toContain("changed");
          expect([existsSync(shared), existsSync(path.join(world.root, "moved"))]).toEqual([true, true]);
        } finally {
          await rm(shared, { force: true });
          await ended(victim);
        }
      },
      PINNED,
    );
  });
