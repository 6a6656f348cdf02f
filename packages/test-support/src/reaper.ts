import { spawn } from "node:child_process";
import { once } from "node:events";

/** Waits for the end of its stdin, then kills every process whose environment contains a text. */
const SCRIPT = `
read -r _
for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
  process=\${file%/environ}
  kill -s KILL "\${process#/proc/}"
done
`;

/**
 * When it is disposed, or when the test's process ends in any way, kills the processes of the test. Finds them by a
 * text in their environment (the folder of their world). The end of the process matters for a test that times out,
 * because such a test disposes nothing.
 */
export function reaper(text: string): AsyncDisposable {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "reaper", text], {
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  (child.stdin as { unref?(): void }).unref?.();
  const exited = once(child, "exit");
  return {
    async [Symbol.asyncDispose]() {
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
}
