import { scriptOf, type TurnUsage } from "codexwright";
import type { ThreadItem } from "codexwright/protocol";
import type { Style } from "../shared/style.ts";
import { clean } from "../shared/text.ts";
import { lineCounts, nameOf, usageLine } from "./item-text.ts";

/** The facts about a turn, whether or not it succeeded. */
export interface Facts {
  readonly threadId: string;
  readonly turnId?: string;
  readonly filesChanged: readonly {
    readonly path: string;
    /** The new path, if the file was moved. */
    readonly movedTo?: string;
    readonly kind: string;
    readonly added: number;
    readonly removed: number;
  }[];
  readonly commands: readonly {
    readonly command: string;
    readonly exitCode: number | null;
    readonly status: string;
  }[];
  readonly usage?: TurnUsage;
  readonly durationMs: number;
}

/** As wide as the labels. */
const MARGIN = " ".repeat(9);

/** The maximum number of files that a summary names. */
const NAMED_FILES = 20;

/** Collects the facts from a turn's items. Each file has one entry, however often it was changed. */
export function factsOf(items: readonly ThreadItem[]): Pick<Facts, "filesChanged" | "commands"> {
  const files = new Map<string, Facts["filesChanged"][number]>();
  /** The original paths of moved files. */
  const origins = new Map<string, string>();
  const commands: Facts["commands"][number][] = [];
  for (const item of items) {
    if (item.type === "commandExecution") {
      const { command, exitCode, status } = item;
      commands.push({ command: scriptOf(command) ?? command, exitCode, status });
    }
    if (item.type !== "fileChange" || item.status !== "completed") continue;
    for (const change of item.changes) {
      const { added, removed } = lineCounts(change);
      const path = origins.get(change.path) ?? change.path;
      const before = files.get(path);
      const target = change.kind.type === "update" ? change.kind.move_path : null;
      const movedTo = target ?? before?.movedTo;
      if (target !== null) origins.set(target, path);
      files.set(path, {
        path,
        ...(movedTo !== undefined && { movedTo }),
        kind: change.kind.type === "delete" ? "delete" : (before?.kind ?? change.kind.type),
        added: added + (before?.added ?? 0),
        removed: removed + (before?.removed ?? 0),
      });
    }
  }
  return { filesChanged: [...files.values()], commands };
}

/** Formats the summary: files, commands, cost, and how to resume. */
export function summaryText(
  facts: Facts,
  {
    style,
    folder,
    resumable,
  }: { readonly style: Style; readonly folder: string; readonly resumable: boolean },
): string {
  const { filesChanged, commands, usage, durationMs } = facts;
  const threadId = clean(facts.threadId);
  const lines: string[] = [];
  if (filesChanged.length > 0) {
    const files = filesChanged.slice(0, NAMED_FILES).map(({ path, movedTo, added, removed }) => {
      const name = [path, movedTo].filter((one) => one !== undefined).map((one) => nameOf(one, folder));
      return `${clean(name.join(" → "))} ${style.green(`+${added}`)} ${style.red(`-${removed}`)}`;
    });
    if (filesChanged.length > NAMED_FILES) files.push(`… ${filesChanged.length - NAMED_FILES} more files`);
    lines.push(`${style.dim("changed")}  ${files.join(`\n${MARGIN}`)}`);
  }
  if (commands.length > 0) {
    lines.push(`${style.dim("ran")}      ${commandCounts(commands)}`);
  }
  lines.push(`${style.dim(usage ? "used" : "took")}     ${usageLine(usage, durationMs)}`);
  lines.push(`${style.dim("thread")}   ${threadId}`);
  if (resumable) lines.push(`${style.dim("resume")}   codexwright run --resume ${threadId} "…"`);
  return `${lines.join("\n")}\n`;
}

/** Formats `3 commands, 1 failed, 1 declined`. Declined commands were not run, and do not count as failed. */
function commandCounts(commands: Facts["commands"]): string {
  const declined = commands.filter(({ status }) => status === "declined").length;
  const unfinished = commands.filter(({ status }) => status === "inProgress").length;
  const failed = commands.filter(
    ({ status, exitCode }) => status === "failed" || (status === "completed" && exitCode),
  ).length;
  const others = [
    [failed, "failed"],
    [unfinished, "not finished"],
    [declined, "declined"],
  ] as const;
  return [
    counted(commands.length - declined, "command"),
    ...others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
  ].join(", ");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
