import { existsSync } from "node:fs";
import { depthOf, isWithin } from "../core/confinement/paths.ts";
import { nodeDisk } from "./disk.ts";
import { mountArguments, type MountPlan } from "./mount-plan.ts";

export interface Surroundings {
  readonly plan: MountPlan;
  readonly network: boolean;
  readonly cwd: string;
  readonly isTerminal: boolean;
}

/** Sockets and FIFOs of services are here: D-Bus, Docker, agents, systemd. */
const SERVICES = ["/run", "/var/run"] as const;

/** Files in these folders that programs need: the addresses of name servers, and the system of NixOS. */
const NEEDED = [
  "/run/systemd/resolve/stub-resolv.conf",
  "/run/systemd/resolve/resolv.conf",
  "/run/NetworkManager/resolv.conf",
  "/run/resolvconf/resolv.conf",
  "/run/current-system",
  "/run/opengl-driver",
] as const;

/** Returns the arguments of bwrap, without the command. The seccomp filter is descriptor 9. */
export function bwrapArguments({ plan, network, cwd, isTerminal }: Surroundings): string[] {
  const services = SERVICES.filter((folder) => nodeDisk.kind(folder) === "folder");
  const isHidden = (file: string): boolean => services.some((folder) => isWithin(file, folder));
  const inside = new Map([...plan].filter(([file]) => isHidden(file)));
  for (const file of [...NEEDED, cwd]) {
    const isCovered = [...inside.keys()].some((each) => isWithin(file, each));
    if (isHidden(file) && !isCovered && !services.some((each) => each === file) && existsSync(file)) {
      inside.set(file, "readOnly");
    }
  }
  const outside = new Map([...plan].filter(([file]) => !isHidden(file) && depthOf(file) > 0));
  return [
    // A terminal belongs to the command alone, so it needs no new session.
    ...(isTerminal ? [] : ["--new-session"]),
    "--die-with-parent",
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    plan.get("/") === "writable" ? "--bind" : "--ro-bind",
    "/",
    "/",
    ...mountArguments(outside),
    ...services.flatMap((folder) => ["--tmpfs", folder]),
    ...mountArguments(inside),
    ...services.flatMap((folder) => ["--remount-ro", folder]),
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--remount-ro",
    "/proc",
    "--seccomp",
    "9",
    "--chdir",
    cwd,
  ];
}
