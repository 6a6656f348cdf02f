/**
 * `node ci/main.js <folder for the patch> npm test`: prints one JSON object and exits with the code in it.
 */
// #region code
import path from "node:path";
import { fixTests } from "./fix.ts";

const [out = ".", ...test] = process.argv.slice(2);
const patchFile = path.join(out, "fix.patch");
const limits = { totalTokens: 500_000, deadlineMs: 15 * 60_000 };
const report = await fixTests({ cwd: process.cwd(), test, patchFile, ...limits, env: {} });
console.log(JSON.stringify(report));
process.exitCode = report.exitCode;
// #endregion code
