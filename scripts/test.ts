import { CHECKS } from "./check.ts";
import { runSteps } from "./steps.ts";
import { CHROMIUM, onBun, onNode } from "./suite.ts";

await runSteps([...CHECKS, CHROMIUM, onNode("browser"), onNode("live"), onBun("live")]);
