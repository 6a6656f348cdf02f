// #region code
import path from "node:path";
import { stdio } from "codexwright";
import { servePage } from "./server.ts";

const page = await servePage(stdio(), path.join(import.meta.dirname, "page.js"), 3000);
console.log(`Open ${page.url}`);
// #endregion code
