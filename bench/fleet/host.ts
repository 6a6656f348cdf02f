/** A fleet in a process of its own. It says each line of its log, and how long a tick took. */
import path from "node:path";
import { Fleet } from "@codexwright/orchestrator";
import { obey, say } from "./talk.ts";

const { folder } = JSON.parse(process.argv[2] ?? "{}") as { readonly folder: string };
let ticked: () => void = () => {};
const fleet = await Fleet.open({
  workflow: path.join(folder, "WORKFLOW.md"),
  data: path.join(folder, "state"),
  port: 0,
  logFormat: "json",
  log: [
    (line) => {
      const log = JSON.parse(line) as { readonly event: string };
      say({ log });
      if (log.event === "tick.done") ticked();
    },
  ],
});
say({ opened: fleet.url });
await obey({
  tick: async () => {
    const done = new Promise<void>((resolve) => {
      ticked = resolve;
    });
    const cpu = process.cpuUsage();
    const since = performance.now();
    fleet.refresh();
    await done;
    const ms = performance.now() - since;
    const { user, system } = process.cpuUsage(cpu);
    return { ms, cpuMs: (user + system) / 1_000 };
  },
});
await fleet.close();
