import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);
const DEBIAN = "/usr/lib/postgresql";
/** An ordinary user. PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const USER = "fleet";
export const PASSWORD = "pass-4711";

const BIN = newest();
/** Why tests on PostgreSQL cannot run here. */
export const noPostgres: string | false = BIN === undefined ? "PostgreSQL is not installed" : false;

export interface PostgresServer {
  /** Makes an empty database. */
  database(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Waits until its input ends, because the test has ended or was killed. Then it ends the server and removes its files.
 * $1: the folder; the rest: the command of the server.
 */
const GUARD = `root=$1; shift
"$@" 2>&1 </dev/null &
pid=$!
cat >/dev/null
kill -INT $pid 2>/dev/null
wait $pid
rm -rf "$root"`;

/** Starts a server on a free port of the loopback interface, with its data in a folder of its own. */
export async function startPostgres(): Promise<PostgresServer> {
  if (BIN === undefined) throw new Error("PostgreSQL is not installed");
  const isRoot = process.getuid?.() === 0;
  const root = await mkdtemp(path.join(isRoot ? traversable() : tmpdir(), "codexwright-postgres-"));
  if (isRoot) await chown(root, NOBODY, NOBODY);
  const asUser = isRoot ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"] : [];
  const passwordFile = path.join(root, "password");
  await writeFile(passwordFile, PASSWORD);
  const data = path.join(root, "data");
  const make = [
    `${BIN}/initdb`,
    `--pgdata=${data}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
  ];
  const [program = "", ...rest] = [...asUser, ...make];
  await run(program, rest, { cwd: "/" });
  const port = await freePort();
  const serve = [`${BIN}/postgres`, "-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1"];
  const settings = ["unix_socket_directories=", "fsync=off", "max_connections=100", "log_min_messages=log"];
  const server = spawn(
    "sh",
    ["-c", GUARD, "guard", root, ...asUser, ...serve, ...settings.flatMap((each) => ["-c", each])],
    // A group of its own: a signal to the test's group does not stop the guard.
    { detached: true, stdio: ["pipe", "pipe", "inherit"], cwd: "/" },
  );
  const exited = once(server, "exit");
  const log: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    createInterface(server.stdout).on("line", (line) => {
      log.push(line);
      if (line.includes("ready to accept connections")) resolve();
      if (line.includes("FATAL") && !line.includes("password")) reject(new Error(log.join("\n")));
    });
  });
  const end = async (): Promise<void> => {
    server.stdin.end();
    await exited;
    await rm(root, { recursive: true, force: true });
  };
  try {
    await ready;
  } catch (error) {
    await end();
    throw error;
  }
  const url = (database: string): string => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  let count = 0;
  return {
    async database() {
      const name = `fleet_${++count}`;
      await query(url("postgres"), `CREATE DATABASE ${name}`);
      return url(name);
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Runs one statement. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return [await pool.query(text)].flat().flatMap(({ rows }) => rows);
  } finally {
    await pool.end();
  }
}

function newest(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const [version] = readdirSync(DEBIAN)
    .filter((name) => existsSync(path.join(DEBIAN, name, "bin/initdb")))
    .toSorted((a, b) => Number(b) - Number(a));
  return version === undefined ? undefined : path.join(DEBIAN, version, "bin");
}

/** A folder for temporary files that every user can reach. */
function traversable(): string {
  for (let folder = tmpdir(); ; folder = path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return "/tmp";
    if (folder === path.dirname(folder)) return tmpdir();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
