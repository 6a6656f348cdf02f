import type { SandboxPolicy } from "codexwright/protocol";
import type { ResolvedPolicy } from "../ports.ts";
import { isAbsolute, join, normal } from "./paths.ts";

/** The surroundings of a command, as far as its policy depends on them. */
export interface Place {
  readonly cwd: string;
  /** The folders of the workspace; default: `cwd`. */
  readonly roots?: readonly string[] | undefined;
  /** CODEX_HOME. */
  readonly home?: string | undefined;
  /** The environment variable TMPDIR of the command. */
  readonly tmpdir?: string | undefined;
  /** The files and folders of the running server. Commands never write there. */
  readonly ownCode?: readonly string[] | undefined;
  /** Files and folders that stay read-only in writable roots. */
  readonly readOnly?: readonly string[] | undefined;
  /** Permissions that the user granted in addition to the policy. */
  readonly grants?: Grants | undefined;
}

export interface Grants {
  /** Folders and files that are writable, by their real paths. */
  readonly writable?: readonly string[] | undefined;
  readonly network?: boolean | undefined;
}

/** Folders at the top of a writable root that another program reads as instructions. */
const METADATA = [".git", ".agents", ".codex"] as const;

/**
 * Returns what a command may do, or `undefined` if the policy wants no sandbox. An unknown policy allows nothing but
 * reading.
 *
 * This function does not look at files: {@link pinPolicy} resolves the links in the result.
 */
export function resolvePolicy(policy: SandboxPolicy, place: Place): ResolvedPolicy | undefined {
  if (policy.type === "dangerFullAccess" || policy.type === "externalSandbox") return undefined;
  const own = rootsOf(policy, place);
  const granted = absolute(place.grants?.writable ?? [], place.cwd);
  const roots = [...own, ...granted];
  const metadata = roots.flatMap((root) => METADATA.map((name) => join(root, name)));
  const readOnly = absolute(place.readOnly ?? [], place.cwd);
  const home = place.home === undefined ? [] : absolute([place.home], place.cwd);
  return {
    writableRoots: [...new Set(own)],
    grantedRoots: [...new Set(granted)],
    readOnlyPaths: [...new Set([...metadata, ...readOnly])].filter((file) => !roots.includes(file)),
    neverWritable: [...new Set([...home, ...absolute(place.ownCode ?? [], place.cwd)])],
    exceptions: home.map((folder) => join(folder, "worktrees")),
    network: (isConfined(policy) && policy.networkAccess === true) || place.grants?.network === true,
  };
}

function rootsOf(policy: SandboxPolicy, { cwd, roots = [cwd], tmpdir }: Place): string[] {
  if (policy.type !== "workspaceWrite" || !isConfined(policy)) return [];
  const { writableRoots = [], excludeTmpdirEnvVar, excludeSlashTmp } = policy;
  const temporary = [
    ...(excludeSlashTmp !== true ? ["/tmp"] : []),
    ...(excludeTmpdirEnvVar !== true && tmpdir !== undefined && isAbsolute(tmpdir) ? [tmpdir] : []),
  ];
  return absolute([...roots, ...writableRoots, ...temporary], cwd);
}

/** Narrows the union: its last member stands for policies of newer versions. */
function isConfined(
  policy: SandboxPolicy,
): policy is Extract<SandboxPolicy, { type: "readOnly" | "workspaceWrite" }> {
  return policy.type === "readOnly" || policy.type === "workspaceWrite";
}

function absolute(files: readonly string[], cwd: string): string[] {
  return files
    .filter((file) => file !== "" && !file.includes("\0"))
    .map((file) => normal(isAbsolute(file) ? file : `${cwd}/${file}`));
}
