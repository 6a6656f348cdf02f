// #region code
import { Gateway } from "@codexwright/gateway";
import { stdio } from "codexwright";
import { servePage } from "./server.ts";

const [project = "."] = process.argv.slice(2);
await using gateway = await Gateway.open({ transport: stdio({ cwd: project }) });
await using page = await servePage(gateway, import.meta.dirname, 3000);
console.log(`Open ${page.address}`);
await gateway.ended;
// #endregion code
