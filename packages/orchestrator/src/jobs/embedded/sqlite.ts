/** The part of `node:sqlite` that the lock needs. Node 20, whose types the project uses, does not have it. */
interface Sqlite {
  readonly DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void };
}

/** Loads `node:sqlite` without the warning that it is experimental: only its file locks are used. */
export function loadSqlite(): Sqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: [string?]) => {
    if (!String(warning).includes("SQLite")) emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite") as Sqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
