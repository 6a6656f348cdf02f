import { VERSION } from "../../rpc/version.ts";
import { Redactor } from "../../redact/redactor.ts";
import { lenientJson } from "../json.ts";
import type { FileSystem } from "../resources/file-system.ts";
import type { StoredSession } from "../session/stored.ts";
import type { AgentEvent } from "./events.ts";
import { toJsonl, transcriptOf } from "./transcript.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** Options of `run.bundle()`. */
export interface BundleOptions {
  /** Texts and patterns to redact, in addition to secrets that are recognised by name or format. */
  readonly secrets?: readonly (string | RegExp)[] | undefined;
  /** Environment variables, usually `process.env`. Values of variables with secret-like names are redacted. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The text of a wire recording, if there is one. */
  readonly wire?: string | undefined;
}

const OPTIONS: Table<BundleOptions> = {
  secrets: is.listOf(is.either(is.text, is.regExp)),
  env: is.recordOf(is.text),
  wire: is.text,
};

export function checkBundleOptions(options: BundleOptions): void {
  checkOptions("run.bundle()", options, OPTIONS);
}

/** The data that a bundle contains. */
export interface BundleParts {
  readonly runId: string;
  readonly promptId: string;
  readonly events: readonly AgentEvent[];
  readonly before: StoredSession;
  readonly after: StoredSession;
  readonly diff: string | undefined;
  readonly server: { readonly userAgent: string; readonly version: string } | undefined;
  /** The credentials of the agent. */
  readonly secrets: readonly string[];
}

/** The format and version of a bundle, in its manifest. */
const FORMAT = { format: "codexwright-bundle", version: 1 } as const;

/** Writes all data about a run to files, with secrets redacted, for a report. Returns the file names. */
export async function writeBundle(
  files: FileSystem,
  parts: BundleParts,
  { secrets = [], env = {}, wire }: BundleOptions,
): Promise<readonly string[]> {
  const redactor = new Redactor([...parts.secrets, ...secrets], env);
  const json = (value: unknown): string =>
    `${JSON.stringify(redactor.json(JSON.parse(lenientJson(value)), "own"), undefined, 2)}\n`;
  const jsonl = (values: readonly unknown[]): string =>
    toJsonl(values.map((value) => redactor.json(JSON.parse(toJsonl([value])), "own")));
  const { events, before, after, diff, server, runId, promptId } = parts;
  const prompts = events.filter((event) => event.type === "prompt.rendered").map(({ text }) => text);
  const texts: Record<string, string | undefined> = {
    "prompt.md": prompts.length === 0 ? undefined : redactor.text(`${prompts.join("\n\n---\n\n")}\n`, "own"),
    "events.jsonl": jsonl(events),
    "transcript.jsonl": jsonl(transcriptOf(events)),
    "session-before.json": json(before),
    "session-after.json": json(after),
    "diff.patch": diff && redactor.text(diff, "own"),
    "wire.ndjson": wire && wireOf(wire, redactor),
  };
  const there = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const versions = {
    codexwright: VERSION,
    ...(server && { codex: server.version, userAgent: server.userAgent }),
  };
  const names = there.map(([name]) => name);
  // Written last, so that a bundle with a manifest is complete.
  there.push(["manifest.json", json({ ...FORMAT, runId, promptId, versions, files: names })]);
  for (const [name, text] of there) await files.write(name, text);
  return [...names, "manifest.json"];
}

/** The recording was already redacted, but may still contain secrets that the caller named. */
function wireOf(wire: string, redactor: Redactor): string {
  return wire
    .split("\n")
    .map((line) => {
      if (line === "") return line;
      try {
        return JSON.stringify(redactor.json(JSON.parse(line), "own"));
      } catch {
        return redactor.text(line, "own");
      }
    })
    .join("\n");
}
