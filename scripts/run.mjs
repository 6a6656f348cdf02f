// Sets up what a command needs and runs it: node scripts/run.mjs <start|test> <tool> [arguments]
//
// The only script that runs before anything is installed, so it is plain JavaScript without dependencies.
// `start` installs the root's dependencies (compiler and Codex), `test` the development tools as well.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.set-up.json`;
const [profile, tool, ...args] = process.argv.slice(2);
const windows = process.platform === "win32";

install();
run(process.execPath, [`${root}node_modules/@typescript/native/bin/tsc`, "-b"], { cwd: root });
run(process.execPath, [`${root}build/${tool}.js`, ...args], {});

function install() {
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  const done = readStamp();
  if (done.lock === lock && (done.profile === "test" || done.profile === profile)) return;
  console.error(`Installing what \`npm ${profile}\` needs, once …`);
  const omit = profile === "start" ? ["--omit=dev"] : [];
  // Our own output is the command's; the installer speaks only when something is wrong.
  const flags = ["ci", ...omit, "--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", flags, { cwd: root, stdio: ["ignore", 2, 2], shell: windows });
  writeFileSync(stamp, JSON.stringify({ lock, profile }));
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stamp, "utf8"));
  } catch {
    return {};
  }
}

function run(command, commandArgs, options) {
  const { status, signal, error } = spawnSync(command, commandArgs, { stdio: "inherit", ...options });
  if (error) throw error;
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}
