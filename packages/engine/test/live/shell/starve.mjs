// A process of its own, because it uses up its file descriptors. It starts commands while there are none left, and again
// when there are. Prints the results.
import { closeSync, openSync } from "node:fs";

const { nodeShell } = await import(`${process.argv[2]}/node.js`);
const shell = nodeShell();

async function start(tty) {
  try {
    const child = await shell.start({
      argv: ["/bin/true"],
      cwd: "/",
      onData: () => {},
      ...(tty && { terminal: { rows: 24, cols: 80 } }),
    });
    return `exit ${await child.exited}`;
  } catch (error) {
    return error.code;
  }
}

const results = [await start(true), await start(false)];
const open = [];
try {
  for (;;) open.push(openSync("/dev/null", "r"));
} catch {
  // None are left.
}
for (let left = 0; left < 4; left++) {
  results.push(await start(left % 2 === 1));
  closeSync(open.pop());
}
for (const fd of open) closeSync(fd);
results.push(await start(false));
await shell.close();
console.log(JSON.stringify(results));
