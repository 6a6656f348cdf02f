import { CHECKS } from "./check.ts";
import { runSteps } from "./steps.ts";
import { onBun, onNode } from "./suite.ts";

await runSteps([...CHECKS, onNode("live"), onBun("live")]);
