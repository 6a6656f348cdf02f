/**
 * Performs the steps of the Dockerfile on this machine: installs packed packages, and runs the app as an
 * ordinary user.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const RECIPE = path.join(ROOT, "examples/recipes/docker");
/** The id of an ordinary user; only root can change to it. */
const ORDINARY = 65_534;

await using model = await scriptedModel([exec("id -u > user.txt"), reply("I wrote user.txt.")]);
await using world = await realAppServer({ model });
const app = path.join(world.root, "app");
mkdirSync(app);

// It packs the folder as for publication, and installs the package.
const flags = ["--install-links", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
execFileSync("npm", ["install", path.join(ROOT, "packages/codexwright"), ...flags], {
  cwd: app,
  stdio: "ignore",
});
const installed = readdirSync(path.join(app, "node_modules")).filter((name) => !name.startsWith("."));
console.log(`npm install: ${installed.join(", ")}`);
// Codex itself is large, so the copy that this repository has installed is used.
symlinkSync(path.join(ROOT, "node_modules/@openai"), path.join(app, "node_modules/@openai"));
cpSync(path.join(RECIPE, "server.mjs"), path.join(app, "server.mjs"));

const needed = [ROOT, path.dirname(world.root), path.dirname(process.execPath)];
const canChange = process.getuid?.() === 0 && needed.every(canReach);
if (canChange) for (const file of [world.root, ...below(world.root)]) chownSync(file, ORDINARY, ORDINARY);
const child = spawn(process.execPath, ["server.mjs"], {
  cwd: app,
  env: { ...process.env, ...world.clientOptions.env, PORT: "0", PROJECT: world.workspace },
  stdio: ["ignore", "pipe", "inherit"],
  ...(canChange && { uid: ORDINARY, gid: ORDINARY }),
});
const exited = once(child, "exit");
const port = await portOf(child);
const call = async (url: string, init?: RequestInit): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}${url}`, init);
  console.log(`${url}: ${response.status} ${(await response.text()).trimEnd()}`);
};
await call("/healthz");
await call("/ask", { method: "POST", body: "Who are you?" });
const { uid } = statSync(path.join(world.workspace, "user.txt"));
console.log(`Codex's command ran as an ordinary user: ${!canChange || uid === ORDINARY}`);
child.kill("SIGTERM");
const [code] = await exited;
console.log(`SIGTERM: exit code ${code}`);

async function portOf({ stdout }: ChildProcess): Promise<string> {
  for await (const text of stdout as unknown as AsyncIterable<Buffer>) {
    const [, found] = /listening on (\d+)/.exec(text.toString()) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error("the app did not start");
}

/** Whether every user can enter the folder. */
function canReach(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && (path.dirname(folder) === folder || canReach(path.dirname(folder)));
}

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) return [];
    return entry.isDirectory() ? [file, ...below(file)] : [file];
  });
}
