import { Chalk, supportsColor, type ChalkInstance } from "chalk";

export type Style = ChalkInstance;

/** Colours for a terminal. Pipes get none, and neither does a user who sets NO_COLOR (https://no-color.org). */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): Style {
  if (env["NO_COLOR"]) return plain();
  if (env["FORCE_COLOR"]) return new Chalk();
  const coloured = stream.isTTY === true && env["TERM"] !== "dumb";
  return coloured ? new Chalk({ level: supportsColor ? supportsColor.level : 1 }) : plain();
}

/** A style without any markup. */
export function plain(): Style {
  return new Chalk({ level: 0 });
}
