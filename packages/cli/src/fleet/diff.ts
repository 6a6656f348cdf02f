import type { Invocation } from "../shared/invoke.ts";
import type { Style } from "../shared/style.ts";
import { clean } from "../shared/text.ts";
import { connectFleet, type RunningOptions } from "./connect.ts";

interface DiffOptions extends RunningOptions {
  readonly run?: string;
}

/** Shows the files that agents have changed for an issue. */
export async function diff({ options, args, output, cwd }: Invocation<DiffOptions>): Promise<void> {
  const fleet = await connectFleet(options, cwd);
  const changes = await fleet.diff(args[0] ?? "", options.run);
  output.json({ type: "diff", changes });
  output.styled(changes.patch === "" ? "Nothing has changed.\n" : patchText(changes.patch, output.style));
}

function patchText(patch: string, style: Style): string {
  const lines = clean(patch).replace(/\n$/, "").split("\n");
  return `${lines.map((line) => coloured(line, style)).join("\n")}\n`;
}

function coloured(line: string, style: Style): string {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return style.bold(line);
  if (line.startsWith("+")) return style.green(line);
  return line.startsWith("-") ? style.red(line) : line;
}
