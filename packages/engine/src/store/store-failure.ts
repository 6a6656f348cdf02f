import { ThreadInUseError, ThreadStoreError } from "../core/records/store-errors.ts";

/** The codes of SQLite whose reasons users can remove. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

/** Converts the error of a store. Texts of the system contain paths, so only the code is kept. */
export function storeFailure(what: string, error: unknown): Error {
  if (error instanceof ThreadInUseError || error instanceof ThreadStoreError) return error;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // The upper bits of a code of SQLite have the details.
  const sqlite = typeof errcode === "number" ? SQLITE_CODES[errcode & 0xff] : undefined;
  const reason = sqlite ?? (typeof code === "string" ? code : "unknown");
  return new ThreadStoreError(what, reason, { cause: error });
}
