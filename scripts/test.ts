/** `npm test`: the whole suite on this Node; `npm test -- <package>`: the unit and live tests of one package. */
import { CHECKS } from "./check.ts";
import { runSteps } from "./steps.ts";
import { CHROMIUM, fleetParts, ofPackage, onNode, TOOLS } from "./suite.ts";

const name = process.argv[2];
const parts =
  name === undefined
    ? [onNode("unit"), onNode("browser"), onNode("live"), ...(await fleetParts())]
    : await ofPackage(name);
if (parts instanceof Error) {
  console.error(parts.message);
  process.exitCode = 1;
} else {
  await runSteps(name === undefined ? [...CHECKS, CHROMIUM, ...TOOLS, ...parts] : [...TOOLS, ...parts]);
}
