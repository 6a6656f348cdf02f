// Installs and builds what a command needs, then runs it: node scripts/run.mjs <start|test> [tool [arguments]]
//
// This is the only script that runs before anything is installed, so it is plain JavaScript without dependencies.
// `start` installs the root's dependencies (compiler, bundler and Codex), `test` the development tools as well.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.set-up.json`;
const [profile, tool, ...args] = process.argv.slice(2);

await install();
// These need development tools, which `start` does not install.
const projects = [
  "tsconfig.json",
  ...(profile === "test" ? ["examples", "scripts/api", "scripts/pictures"] : []),
];
await run(process.execPath, [`${root}node_modules/@typescript/native/bin/tsc`, "-b", ...projects], {
  cwd: root,
});
await run(process.execPath, [`${root}build/scripts/bundle.js`], { cwd: root });
if (tool !== undefined) await run(process.execPath, [`${root}build/${tool}.js`, ...args], {});

async function install() {
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  const done = readStamp();
  if (done.lock === lock && (done.profile === "test" || done.profile === profile)) return;
  console.error(`Installing what \`npm ${profile}\` needs, once …`);
  const omit = profile === "start" ? ["--omit=dev"] : [];
  // `npm ci` does not work here: it rejects a lockfile without the optional packages of platforms that a
  // registry does not carry.
  const flags = ["install", "--no-save", ...omit, "--no-audit", "--no-fund", "--loglevel=error"];
  // Stdout belongs to the command. So the installer writes to stderr, and only if something is wrong.
  await run("npm", flags, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  writeFileSync(stamp, JSON.stringify({ lock, profile }));
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stamp, "utf8"));
  } catch {
    return {};
  }
}

/** Runs a command to its end. If it fails, this process exits in the same way. */
async function run(command, commandArgs, options) {
  const child = spawn(command, commandArgs, { stdio: "inherit", ...options });
  // A terminal sends Ctrl-C to both processes. The child decides what to do, and we wait for it to clean up.
  const ignore = () => {};
  const forward = (signal) => child.kill(signal);
  process.on("SIGINT", ignore).on("SIGTERM", forward);
  const { code, signal } = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }));
  });
  process.off("SIGINT", ignore).off("SIGTERM", forward);
  if (signal) process.kill(process.pid, signal);
  if (code !== 0) process.exit(code ?? 1);
}
