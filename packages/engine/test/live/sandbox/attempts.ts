import type { Attempt } from "./attempt.ts";
import { FILES, PROTECTED } from "./file-attempts.ts";
import { KERNEL, NAMESPACES, PROCESSES } from "./kernel-attempts.ts";
import { NETWORK } from "./network-attempts.ts";

/** Every attempt. */
export const ATTEMPTS: readonly Attempt[] = [
  ...FILES,
  ...PROTECTED,
  ...KERNEL,
  ...PROCESSES,
  ...NAMESPACES,
  ...NETWORK,
];
