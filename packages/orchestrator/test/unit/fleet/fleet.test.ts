import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect } from "vitest";
import { Fleet, type FleetOptions } from "@codexwright/orchestrator";
import { memoryTracker, requireNode, type TrackerKind } from "@codexwright/orchestrator/internal";
import { rejection } from "../../../../test-support/src/events.ts";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { eventually, FleetWorld, removeTemplate } from "../../support/fleet-world.ts";
import { noPostgres, PASSWORD, query, startPostgres } from "../../support/postgres.ts";

/** A server that never answers: its runs go on until they are stopped. */
const HANGS = "codex:\n  command: sleep 600\n";
const TODO = { identifier: "A-1", title: "An issue", state: "Todo" };

function optionsOf(world: FleetWorld, more: FleetOptions = {}): FleetOptions {
  return {
    workflow: world.workflow,
    data: world.data,
    env: {},
    kinds: [memoryTracker(world.issues)],
    log: [(line) => void world.lines.push(line)],
    ...more,
  };
}

async function claimOf(fleet: Fleet, state: string) {
  return await eventually(async () => {
    const { claims } = await fleet.state();
    return claims.find((claim) => claim.state === state);
  });
}

describe("a fleet in a program", () => {
  afterAll(removeTemplate);

  verifies("fleet.api.orders", "shows its state and obeys, by identifier and by id", async () => {
    await using world = await FleetWorld.open([TODO], HANGS);
    await using fleet = await Fleet.open(optionsOf(world));
    expect(fleet.url).toBe(null);
    expect(fleet.stateFolder).toBe(world.data);
    const { issueId } = await claimOf(fleet, "running");
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { event } of fleet.events()) seen.push(event);
    })();
    await fleet.stop("A-1", { by: "ann", reason: "wrong" });
    expect(await claimOf(fleet, "blocked")).toMatchObject({ reason: { kind: "stopped", by: "ann" } });
    expect(await fleet.issue("A-1")).toMatchObject({ runs: [{ outcome: "stopped" }] });
    expect(await fleet.explain(issueId)).toMatchObject({ identifier: "A-1", eligible: false });
    await fleet.pause({ reason: "a release" });
    await fleet.retry(issueId);
    expect((await fleet.state()).paused).toMatchObject({ by: "program", reason: "a release" });
    await fleet.resume();
    await claimOf(fleet, "running");
    expect(await rejection(fleet.clean("A-1"))).toMatchObject({ code: "invalid_order" });
    expect(await rejection(fleet.answer("A-1", { text: "yes" }))).toMatchObject({ code: "invalid_order" });
    for (const name of ["B-1", "__proto__", "../A-1", "A-1\0"]) {
      expect(await rejection(fleet.stop(name))).toMatchObject({ code: "issue_not_found" });
      expect(await rejection(fleet.explain(name))).toMatchObject({ code: "issue_not_found" });
    }
    await fleet.drain({ now: true });
    await fleet.done;
    await watching;
    const told = ["claim.admitted", "run.started", "order.given", "claim.blocked", "scope.paused"];
    expect(seen).toEqual(expect.arrayContaining(told));
    // Events of the end arrive, and the last state can still be read.
    expect(seen.slice(seen.lastIndexOf("order.given"))).toContain("run.ended");
    expect((await fleet.state()).claims).toMatchObject([{ issueId, state: "retrying" }]);
  });

  verifies("fleet.api.options", "refuses wrong options before it starts anything", async () => {
    await using world = await FleetWorld.open([]);
    const wrong: readonly [object, string][] = [
      [{ workfow: "x" }, "workflow"],
      [{ workflow: "" }, "workflow"],
      [{ data: 1 }, "data"],
      [{ port: 65_536 }, "port"],
      [{ once: "yes" }, "once"],
      [{ log: () => {} }, "log"],
      [{ logFormat: "xml" }, "logFormat"],
      [{ signal: {} }, "signal"],
      [{ env: { A: 1 } }, "env"],
    ];
    for (const [options, name] of wrong) {
      const error = await rejection(Fleet.open({ ...optionsOf(world), ...options }));
      expect(error).toMatchObject({ code: "invalid_argument", message: expect.stringContaining(name) });
    }
    expect(world.lines).toEqual([]);
    await using fleet = await Fleet.open(optionsOf(world));
    const calls: readonly Promise<unknown>[] = [
      fleet.stop(""),
      fleet.stop("A", { by: 1 as unknown as string }),
      fleet.pause({ resaon: "x" } as object),
      fleet.answer("A", {} as { text: string }),
      fleet.answer("A", { text: "a", json: 1 }),
      fleet.drain({ now: "yes" as unknown as boolean }),
      fleet.explain(undefined as unknown as string),
    ];
    for (const call of calls) expect(await rejection(call)).toMatchObject({ code: "invalid_argument" });
    expect(() => fleet.events({ after: 1 as unknown as bigint })).toThrow("after must be a bigint");
  });

  verifies("fleet.api.node", "says which Node it needs", () => {
    for (const version of ["20.20.2", "21.7.3", "22.14.0"])
      expect(() => requireNode(version)).toThrow(`needs Node 22.15 or later; this is ${version}`);
    for (const version of ["22.15.0", "23.0.0", "24.1.0"]) requireNode(version);
  });

  verifies("fleet.api.signal", "a signal aborts the start, and later closes the fleet", async () => {
    await using world = await FleetWorld.open([TODO], HANGS);
    const early = AbortSignal.abort(new Error("enough"));
    expect(await rejection(Fleet.open(optionsOf(world, { signal: early })))).toMatchObject({
      code: "aborted",
    });
    const within = new AbortController();
    const opening = Fleet.open(optionsOf(world, { signal: within.signal, port: 0 }));
    within.abort();
    expect(await rejection(opening)).toMatchObject({ code: "aborted" });
    expect(existsSync(path.join(world.data, "endpoint.json"))).toBe(false);
    const later = new AbortController();
    const fleet = await Fleet.open(optionsOf(world, { signal: later.signal }));
    await claimOf(fleet, "running");
    later.abort();
    await fleet.done;
    await using next = await Fleet.open(optionsOf(world));
    expect(await claimOf(next, "running")).toMatchObject({ retryKind: "continuation" });
  });

  verifies(
    ["fleet.api.postgres", "fleet.api.secrets"],
    "works on PostgreSQL, and its password is in no line, event, error or file",
    async () => {
      await using server = await startPostgres();
      const url = await server.database();
      const settings = `database:\n  url: $FLEET_DATABASE\n${HANGS}`;
      await using world = await FleetWorld.open([TODO], settings);
      const options = optionsOf(world, { env: { FLEET_DATABASE: url } });
      const fleet = await Fleet.open(options);
      await claimOf(fleet, "running");
      // The state folder belongs to one process, although the database can be shared.
      expect(await rejection(Fleet.open(options))).toMatchObject({ code: "fleet_already_runs" });
      await fleet.pause({ reason: `because of ${url} and of ${PASSWORD}` });
      await fleet.close();
      await using next = await Fleet.open(options);
      expect((await next.state()).paused).toBeTruthy();
      await next.close();

      const wrong = url.replace(PASSWORD, "wr0ng-p4ss");
      const unreachable = url.replace(/:\d+\//, ":9/");
      for (const [bad, secret] of [
        [wrong, "wr0ng-p4ss"],
        [unreachable, PASSWORD],
        [`${url.replace(`:${PASSWORD}@`, "@")}?password=wr0ng-p4ss`, "wr0ng-p4ss"],
        [`postgres//${PASSWORD}`, PASSWORD],
      ] as const) {
        const error = await rejection(Fleet.open({ ...options, env: { FLEET_DATABASE: bad } }));
        expect(error).toMatchObject({ code: "database_unavailable" });
        expect((error as Error).message).not.toContain(secret);
        // The lock of the folder is free again.
        expect(await rejection(Fleet.open({ ...options, env: { FLEET_DATABASE: bad } }))).toMatchObject({
          code: "database_unavailable",
        });
      }
      expect(world.lines.join("\n")).not.toContain(PASSWORD);
      expect(world.lines.join("\n")).not.toContain("wr0ng-p4ss");
      const stored = await query(url, "SELECT to_jsonb(w)::text AS text FROM codexwright.workflows w");
      expect(stored.length).toBeGreaterThan(0);
      expect(JSON.stringify(stored)).not.toContain(PASSWORD);
      const leaking: string[] = [];
      for (const name of await readdir(world.data, { recursive: true, withFileTypes: true })) {
        if (!name.isFile()) continue;
        const text = await readFile(path.join(name.parentPath, name.name), "latin1");
        if (text.includes(PASSWORD)) leaking.push(name.name);
      }
      expect(leaking).toEqual([]);
    },
    { skip: noPostgres },
  );

  verifies(
    "fleet.api.secrets",
    "a secret of a changed WORKFLOW.md is in no line and event either",
    async () => {
      const settings = (name: string): string => `  provider:\n    token: $${name}\n`;
      await using world = await FleetWorld.open([TODO]);
      const kind = memoryTracker(world.issues);
      const secretKind: TrackerKind = {
        ...kind,
        profile: {
          ...kind.profile,
          keys: [...kind.profile.keys, { key: "token", what: "a secret", required: true, secret: true }],
        },
      };
      const env = { FIRST: "first-s3cr3t", SECOND: "second-s3cr3t" };
      const write = async (name: string, command: string): Promise<void> =>
        await world.write(`codex:\n  command: ${command}\n`, settings(name));
      await write("FIRST", "'echo first-s3cr3t >&2; exit 1'");
      await using fleet = await Fleet.open(optionsOf(world, { env, kinds: [secretKind] }));
      await claimOf(fleet, "retrying");
      await write("SECOND", "'echo second-s3cr3t >&2; exit 1'");
      await eventually(() => world.lines.find((line) => line.includes("workflow.changed")));
      await fleet.retry("A-1");
      await eventually(async () => ((await fleet.issue("A-1")).runs.length > 1 ? true : undefined));
      const events = JSON.stringify(await fleet.issue("A-1"), (_, value: unknown) =>
        typeof value === "bigint" ? String(value) : value,
      );
      for (const secret of Object.values(env)) {
        expect(world.lines.join("\n")).not.toContain(secret);
        expect(events).not.toContain(secret);
      }
    },
  );
});
