import type { ShellCommand } from "./shell.ts";

/** Confines commands to the files and the network that a policy allows. */
export interface Sandbox {
  /** Whether this machine can confine commands of this policy. */
  status(policy: ResolvedPolicy): Promise<SandboxStatus>;
  /**
   * Returns a command that runs the given one under the policy. It must reject with a `SandboxError` if it cannot
   * enforce the policy.
   */
  wrap(command: ShellCommand, policy: ResolvedPolicy): Promise<WrappedCommand>;
}

/** `why` says what is missing and how to get it. */
export type SandboxStatus = { readonly ready: true } | { readonly ready: false; readonly why: string };

/** The permissions of a confined command besides reading files. All paths are absolute. */
export interface ResolvedPolicy {
  /** The folders and files that it may write to. A root that does not exist is not writable. */
  readonly writableRoots: readonly string[];
  /** Further roots, as the user has seen them. One that leads through a link by now is not writable. */
  readonly grantedRoots: readonly string[];
  /** Files and folders that stay read-only in all of these roots, whether they exist or not. A deeper root is writable again. */
  readonly readOnlyPaths: readonly string[];
  /** Files and folders that are never writable, even if a root lies in them. */
  readonly neverWritable: readonly string[];
  /** Folders below `neverWritable` in which a root is writable nevertheless. */
  readonly exceptions: readonly string[];
  /** Whether it may use the network. */
  readonly network: boolean;
}

export interface WrappedCommand {
  readonly command: ShellCommand;
  /** Removes what `wrap` created. Call it when the command has ended. */
  release(): Promise<void>;
}
