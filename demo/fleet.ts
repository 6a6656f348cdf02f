/** `npm start -- fleet`: installs a Node for the fleet if this one is too old, and runs the demo with it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { ROOT } from "../scripts/steps.ts";
import { FLEET_NODE, fleetNode } from "../scripts/suite.ts";

export async function fleetDemo(): Promise<void> {
  const node = await fleetNode(() => {
    process.stderr.write(
      `A fleet needs Node 22.15 or later. This runs on Node ${FLEET_NODE}, which is installed into the cache once.\n`,
    );
  });
  const child = spawn(node, [path.join(ROOT, "build/demo/fleet/main.js")], { stdio: "inherit" });
  // A terminal sends Ctrl-C to both processes. The child cleans up, and this one waits for it.
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  process
    .on("SIGINT", () => {})
    .on("SIGTERM", forward)
    .on("SIGHUP", forward);
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
}
