import { approvals } from "../faults/approvals.ts";
import { brokenPipe } from "../faults/broken-pipe.ts";
import { clockJump } from "../faults/clock-jump.ts";
import { crashes } from "../faults/crashes.ts";
import { diskFull } from "../faults/disk-full.ts";
import { engineKill } from "../faults/engine-kill.ts";
import { engineSoak } from "../engine-soak/engine-soak.ts";
import { fleetKill } from "../faults/fleet-kill.ts";
import { fleetStop } from "../faults/fleet-stop.ts";
import { kill } from "../faults/kill.ts";
import { modelSlow } from "../faults/model-slow.ts";
import { modelUnreachable } from "../faults/model-unreachable.ts";
import { orphans } from "../faults/orphans.ts";
import { overload } from "../faults/overload.ts";
import { parentKilled } from "../faults/parent-killed.ts";
import { socketCut } from "../faults/socket-cut.ts";
import { stdinClosed } from "../faults/stdin-closed.ts";
import { stdoutClosed } from "../faults/stdout-closed.ts";
import { stop } from "../faults/stop.ts";
import { twoClients } from "../faults/two-clients.ts";
import type { Drill } from "./drill.ts";

/** Every drill, in the order of the table. */
export const DRILLS: readonly Drill[] = [
  kill,
  stop,
  stdoutClosed,
  stdinClosed,
  brokenPipe,
  diskFull,
  modelUnreachable,
  modelSlow,
  overload,
  clockJump,
  approvals,
  crashes,
  socketCut,
  twoClients,
  parentKilled,
  orphans,
  engineKill,
  engineSoak,
  fleetKill,
  fleetStop,
];
