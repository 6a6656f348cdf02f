/** The parts of `node:sqlite` that are used here. Node 20 does not have it. */
interface Statement {
  run(...values: (string | number | null)[]): { readonly changes: number | bigint };
  all(...values: (string | number | null)[]): readonly Readonly<Record<string, unknown>>[];
}

export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

interface Sqlite {
  readonly DatabaseSync: new (file: string) => Database;
}

let sqlite: { readonly module: Sqlite | undefined } | undefined;

/** Loads `node:sqlite`, without its warning that it is experimental. Returns `undefined` if there is none. */
export function loadSqlite(): Sqlite | undefined {
  return (sqlite ??= { module: builtin() }).module;
}

function builtin(): Sqlite | undefined {
  const emit = Object.getOwnPropertyDescriptor(process, "emitWarning");
  // The call is synchronous, so no other warning is lost.
  Object.defineProperty(process, "emitWarning", { value: () => {}, configurable: true, writable: true });
  try {
    const { getBuiltinModule: load } = process as { getBuiltinModule?: (name: string) => unknown };
    return load?.call(process, "node:sqlite") as Sqlite | undefined;
  } catch {
    return undefined;
  } finally {
    if (emit) Object.defineProperty(process, "emitWarning", emit);
    else Reflect.deleteProperty(process, "emitWarning");
  }
}
