import { ACCOUNT } from "./account.ts";
import { AGENT } from "./agent.ts";
import { AGENT_RUN } from "./agent-run.ts";
import { AGENT_SESSIONS } from "./agent-sessions.ts";
import { CLIENT } from "./client.ts";
import { COMMANDS } from "./commands.ts";
import { PROJECT } from "./project.ts";
import { PROTOCOL } from "./protocol.ts";
import { RECOVERY } from "./recovery.ts";
import { RPC } from "./rpc.ts";
import { SERVER_REQUESTS } from "./server-requests.ts";
import { STATE } from "./state.ts";
import { TESTING } from "./testing.ts";
import { THREADS } from "./threads.ts";
import { TOOLS } from "./tools.ts";
import { TORTURE } from "./torture.ts";
import { TRANSPORTS } from "./transports.ts";
import { VERSIONS } from "./versions.ts";
import { SOCKETS } from "./sockets.ts";
import { ENDPOINT } from "./endpoint.ts";
import { RECORDING } from "./recording.ts";
import { FAKE } from "./fake.ts";
import { FAULT_DRILLS } from "./drills.ts";
import { BENCHMARKS } from "./benchmarks.ts";
import { CLI } from "./cli.ts";
import { CLI_TOOLS } from "./cli-tools.ts";
import { SERVE } from "./serve.ts";
import { CLI_UNSAFE } from "./cli-unsafe.ts";
import { SECURITY } from "./security.ts";

/**
 * Every promised behaviour, by area. Tests name the ones they verify; a promise without a test fails the suite.
 * `live` in the rendered table means: seen on a real app-server.
 */
export const REQUIREMENTS = [
  ...PROTOCOL,
  ...RPC,
  ...TORTURE,
  ...TRANSPORTS,
  ...CLIENT,
  ...SERVER_REQUESTS,
  ...STATE,
  ...TOOLS,
  ...THREADS,
  ...ACCOUNT,
  ...COMMANDS,
  ...RECOVERY,
  ...VERSIONS,
  ...TESTING,
  ...PROJECT,
  ...SOCKETS,
  ...ENDPOINT,
  ...RECORDING,
  ...FAKE,
  ...AGENT,
  ...AGENT_RUN,
  ...AGENT_SESSIONS,
  ...CLI,
  ...CLI_TOOLS,
  ...SERVE,
  ...CLI_UNSAFE,
  ...SECURITY,
  ...BENCHMARKS,
  ...FAULT_DRILLS,
] as const;

export type RequirementId = (typeof REQUIREMENTS)[number]["id"];
