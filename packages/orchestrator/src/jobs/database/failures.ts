import { CodexError } from "codexwright";
import { FleetError } from "../../domain/errors.ts";

/** Reads the SQLSTATE of an error of a driver. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the transaction can succeed if it is tried again: a serialization failure or a deadlock. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlState(error) ?? "");
}

/** Whether a value cannot be stored, or a statement does not fit the tables. The database itself works. */
export function isAboutData(error: unknown): boolean {
  if (error instanceof CodexError) return false;
  const state = sqlState(error);
  return state === undefined ? isOfProgram(error) : /^(?:22|23|42|54)/.test(state);
}

/** Errors that JavaScript throws about a value, for example for a BigInt in JSON. */
function isOfProgram(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

/** Makes a `FleetError` of an error of the driver that says that the database is away. Others stay as they are. */
export function unavailable(error: unknown, message?: string): unknown {
  if (error instanceof CodexError || (error !== undefined && isAboutData(error))) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new FleetError("database_unavailable", message ?? `The database does not answer: ${why}`, {
    cause: error,
  });
}
