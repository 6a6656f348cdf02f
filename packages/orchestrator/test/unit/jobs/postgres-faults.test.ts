import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { expect } from "vitest";
import { openPostgres } from "@codexwright/orchestrator/internal";
import { rejection, until } from "@codexwright/test-support/events";
import { tcpProxy } from "@codexwright/test-support/tcp-proxy";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../support/issues.ts";
import { noPostgres, PASSWORD, query, startPostgres } from "../../support/postgres.ts";
import { HERE, LEASE_MS, only, settled, UNLIMITED, wanted } from "./conformance/bench.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../../..");
const skip = noPostgres;

verifies(
  "fleet.jobs.away",
  "calls are rejected while the database is away, and succeed when it is back",
  async () => {
    await using server = await startPostgres();
    const url = await server.database();
    await using proxy = await tcpProxy(url);
    const store = await openPostgres({ url: url.replace(/:\d+\//, `:${new URL(proxy.url).port}/`) });
    const workflow = { version: "v1", path: "/WORKFLOW.md", text: "" };
    await store.putScope("s", workflow);
    await store.admit("s", wanted(issue(1), issue(2)), UNLIMITED);
    // The connections break at any byte of an answer. Every claim that is stored has its job.
    let broken = 0;
    for (let bytes = 0; bytes < 1200; bytes += 60) {
      proxy.cutAfter(bytes);
      await store.admit("s", wanted(issue(100 + bytes)), UNLIMITED).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "database_unavailable" });
        broken++;
      });
    }
    proxy.cutAfter(Infinity);
    expect(broken).toBeGreaterThan(0);
    const { claims } = await store.read("s");
    const grants = await store.pull("s", HERE, 1000, LEASE_MS);
    expect(grants).toHaveLength(claims.length);
    // The whole server goes.
    await server[Symbol.asyncDispose]();
    expect(await rejection(store.read("s"))).toMatchObject({ code: "database_unavailable" });
    expect(await rejection(store.renew(grants))).toMatchObject({ code: "database_unavailable" });
    expect(await rejection(settled(store, only(grants.slice(0, 1))))).toMatchObject({
      code: "database_unavailable",
    });
    await store.close();
  },
  { skip },
);

verifies(
  "fleet.jobs.away",
  "a store whose database never answers closes in bounded time",
  async () => {
    await using server = await startPostgres();
    const url = await server.database();
    await using proxy = await tcpProxy(url);
    const store = await openPostgres({ url: url.replace(/:\d+\//, `:${new URL(proxy.url).port}/`) });
    await store.putScope("s", { version: "v1", path: "/WORKFLOW.md", text: "" });
    proxy.freeze();
    const hanging = rejection(store.read("s"));
    const since = performance.now();
    await store.close();
    expect(performance.now() - since).toBeLessThan(12_000);
    proxy.cut();
    expect(await hanging).toMatchObject({ code: "database_unavailable" });
  },
  { skip },
);

verifies(
  ["fleet.jobs.away", "security.s109"],
  "the errors of a wrong URL, server or login do not contain the password",
  async () => {
    await using server = await startPostgres();
    const good = await server.database();
    const wrong = [
      good.replace(/:\d+\//, ":1/"),
      good.replace("fleet:", "nobody:"),
      good.replace("postgres:", "mysql:"),
      good.replace("127.0.0.1", "127.0.0.1:x"),
      `${good}_missing`,
      `not a url ${PASSWORD}`,
      `postgres://fleet:${PASSWORD}@[bad/db`,
      good.replace(PASSWORD, `${PASSWORD}x`),
      `${good}?sslmode=require`,
    ];
    for (const url of wrong) {
      const error = await rejection(openPostgres({ url }));
      expect(error).toMatchObject({ code: "database_unavailable" });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(PASSWORD);
    }
    // Node's own error contains the URL.
    let own: unknown;
    try {
      void new URL(`not a url ${PASSWORD}`);
    } catch (error) {
      own = error;
    }
    expect(inspect(own)).toContain(PASSWORD);
  },
  { skip },
);

verifies(
  "fleet.jobs.version",
  "a shared database of a newer program is refused",
  async () => {
    await using server = await startPostgres();
    const url = await server.database();
    await (await openPostgres({ url })).close();
    await query(url, "UPDATE codexwright.meta SET version = 1000");
    expect(await rejection(openPostgres({ url }))).toMatchObject({ code: "database_version" });
  },
  { skip },
);

verifies(
  "fleet.jobs.away",
  "several processes can make the tables at the same time",
  async () => {
    await using server = await startPostgres();
    const url = await server.database();
    const stores = await Promise.all([1, 2, 3, 4, 5].map(() => openPostgres({ url })));
    for (const store of stores) await store.close();
  },
  { skip },
);

verifies(
  "fleet.jobs.away",
  "the PostgreSQL of a killed test ends, and leaves no file",
  async () => {
    const support = path.join(import.meta.dirname, "../../support/postgres.ts");
    const program = `const { startPostgres } = await import(${JSON.stringify(support)});
      const server = await startPostgres(); console.log(await server.database()); setInterval(() => {}, 1000);`;
    const options = ["--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", program];
    const test = spawn(process.execPath, options, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(test, "exit");
    const [url] = (await once(createInterface(test.stdout), "line")) as [string];
    const [row] = await query(url, "SHOW data_directory");
    const data = String(row?.["data_directory"]);
    expect(existsSync(path.dirname(data))).toBe(true);
    test.kill("SIGKILL");
    await exited;
    await until(() => !existsSync(path.dirname(data)));
    expect(await rejection(query(url, "SELECT 1"))).toBeInstanceOf(Error);
  },
  { skip },
);
