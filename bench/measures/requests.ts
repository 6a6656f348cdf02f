import type { Table } from "../lib/report.ts";
import type { ServerPrograms } from "../lib/server-program.ts";
import { Pairs } from "./pairs.ts";

const COUNT = 20_000;
/** The maximum number of requests that a client has in flight: the server queues no more. */
export const IN_FLIGHT: number = 128;
const WHY =
  "Each of our requests has a deadline and an abort signal, and counts toward the limit of requests in flight.";

/** Sends requests as fast as they are answered. */
export async function requests(servers: ServerPrograms): Promise<Table[]> {
  const args = [String(COUNT), String(IN_FLIGHT)];
  const pairs = await Pairs.sample(servers, "requests", args, {
    task: "requests",
    server: ["stream", "1x1x0x1"],
    args,
  });
  const title = `${COUNT.toLocaleString("en")} requests, ${IN_FLIGHT.toLocaleString("en")} in flight`;
  return [{ title, unit: "CPU µs a request", rows: pairs.rows("cpuUs", WHY) }];
}
