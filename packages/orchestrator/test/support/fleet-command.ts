import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  newToken,
  publishEndpoint,
  serveHttp,
  withdrawEndpoint,
  type HttpServer,
} from "@codexwright/orchestrator/internal";
import {
  command,
  start,
  type CommandOptions,
  type RunningCommand,
} from "../../../cli/test/support/command.ts";
import { fakeFleet, type FakeFleet } from "./fake-fleet.ts";

/** A project whose fleet runs in this process, and the command of its user. */
export interface FleetUser extends AsyncDisposable {
  readonly fleet: FakeFleet;
  readonly folder: string;
  /** The state folder, for `--data`. */
  readonly data: string;
  readonly server: HttpServer;
  run(args: readonly string[], options?: CommandOptions): ReturnType<typeof command>;
  start(args: readonly string[], options?: CommandOptions): RunningCommand;
}

export async function newFleetUser(): Promise<FleetUser> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-fleet-")));
  const folder = path.join(root, "project");
  const data = path.join(root, "state");
  await Promise.all([mkdir(folder), mkdir(data, { mode: 0o700 })]);
  await writeFile(path.join(folder, "WORKFLOW.md"), "---\ntracker: { kind: memory }\n---\n");
  const fleet = fakeFleet();
  const server = await serveHttp({ fleet, host: "127.0.0.1", port: 0, token: await newToken(data) });
  await publishEndpoint(data, server.url);
  const env = { HOME: root, XDG_STATE_HOME: path.join(root, "xdg") };
  const withData = ([name = "", ...rest]: readonly string[]): string[] => [
    "fleet",
    name,
    "--data",
    data,
    ...rest,
  ];
  const optionsOf = (more: CommandOptions = {}): CommandOptions => ({
    cwd: folder,
    ...more,
    env: { ...env, ...more.env },
  });
  return {
    fleet,
    folder,
    data,
    server,
    run: async (args, more) => await command(withData(args), optionsOf(more)),
    start: (args, more) => start(withData(args), optionsOf(more)),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await withdrawEndpoint(data);
      await rm(root, { recursive: true, force: true });
    },
  };
}
