import { usageError } from "../shared/command-error.ts";

/** The id a command is about. */
export function idOf([id]: readonly string[]): string {
  if (id === undefined || id === "") throw usageError("give the id of a thread");
  return id;
}
