import { CHECKS } from "./check.ts";
import { runSteps } from "./steps.ts";
import { CHROMIUM, FAKETIME, onNode, SHELLS, TMUX } from "./suite.ts";

await runSteps([...CHECKS, CHROMIUM, onNode("browser"), TMUX, SHELLS, FAKETIME, onNode("live")]);
