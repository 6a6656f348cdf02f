import { Chalk, supportsColor, type ChalkInstance } from "chalk";

export type Style = ChalkInstance;

/** Colours for a terminal; none for a pipe, or where the user asked for none (https://no-color.org). */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): Style {
  if (env["NO_COLOR"]) return plain();
  if (env["FORCE_COLOR"]) return new Chalk();
  const coloured = stream.isTTY === true && env["TERM"] !== "dumb";
  return coloured ? new Chalk({ level: supportsColor ? supportsColor.level : 1 }) : plain();
}

/** Marks nothing up. */
export function plain(): Style {
  return new Chalk({ level: 0 });
}
