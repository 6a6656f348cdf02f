import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UpgradeError } from "./target.ts";

/** Rejects if the registry does not have this version of Codex, or cannot be reached. */
export async function checkPublished(version: string): Promise<void> {
  const spec = `@openai/codex@${version}`;
  try {
    await promisify(execFile)("npm", ["view", spec, "version", "--json"], {
      shell: process.platform === "win32",
    });
  } catch (error) {
    throw new UpgradeError(refusal(spec, (error as { readonly stdout?: string }).stdout ?? ""), {
      cause: error,
    });
  }
}

/** npm prints its errors as JSON on stdout. */
export function refusal(spec: string, stdout: string): string {
  const { code, summary } = errorIn(stdout);
  if (code === "E404")
    return `The registry does not have ${spec}. \`npm view @openai/codex versions\` lists the versions it has.`;
  return `The registry lookup of ${spec} failed: ${code ?? "npm failed"}${summary === undefined ? "" : `, ${summary}`}`;
}

function errorIn(stdout: string): { readonly code?: string; readonly summary?: string } {
  try {
    const { error } = JSON.parse(stdout) as { readonly error?: { code?: string; summary?: string } };
    return error ?? {};
  } catch {
    return {};
  }
}
