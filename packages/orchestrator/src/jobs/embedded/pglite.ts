import { AsyncLocalStorage } from "node:async_hooks";
import type { PGlite, Transaction } from "@electric-sql/pglite";
import { FleetError } from "../../domain/errors.ts";
import type { Driver, Row } from "../database/database.ts";

/**
 * A PGlite that is opened again after it broke. A full disk, for example, can end its backend: every later statement
 * fails, although the files are whole. Nothing opens it again after `close`.
 */
export class EmbeddedDriver implements Driver {
  readonly #open: () => Promise<PGlite>;
  /** The transaction of the code that runs now. Its statements must not wait for their own transaction to end. */
  readonly #within = new AsyncLocalStorage<Driver["run"]>();
  #pglite: Promise<PGlite> | undefined;
  #session: string[] = [];
  #isClosed = false;

  constructor(open: () => Promise<PGlite>, opened: PGlite) {
    this.#open = open;
    this.#pglite = Promise.resolve(opened);
  }

  async run(text: string, values: unknown[]): Promise<Row[]> {
    const within = this.#within.getStore();
    if (within !== undefined) return await within(text, values);
    return await this.#use(async (pglite) => {
      try {
        return await runOn(pglite, text, values);
      } catch (error) {
        // pg-boss sends transactions as one text. One that failed must not stay open.
        await pglite.query("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  async transaction<T>(work: (run: Driver["run"]) => Promise<T>): Promise<T> {
    return await this.#use(
      async (pglite) =>
        await pglite.transaction(async (tx) => {
          const run: Driver["run"] = (text, values) => runOn(tx, text, values);
          return await this.#within.run(run, () => work(run));
        }),
    );
  }

  async setSessionStatements(statements: string[]): Promise<void> {
    this.#session = statements;
    await this.#use((pglite) => this.#setUp(pglite));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const pglite = await this.#pglite?.catch(() => undefined);
    this.#pglite = undefined;
    await pglite?.close();
  }

  async #use<T>(work: (pglite: PGlite) => Promise<T>): Promise<T> {
    this.#pglite ??= this.#reopen();
    const used = this.#pglite;
    let pglite: PGlite;
    try {
      pglite = await used;
    } catch (error) {
      if (this.#pglite === used) this.#pglite = undefined;
      throw error;
    }
    try {
      return await work(pglite);
    } catch (error) {
      if (isBroken(pglite, error) && this.#pglite === used) this.#pglite = undefined;
      throw error;
    }
  }

  async #reopen(): Promise<PGlite> {
    if (this.#isClosed) throw new FleetError("database_unavailable", "The job store is closed.");
    const pglite = await this.#open();
    await this.#setUp(pglite);
    return pglite;
  }

  async #setUp(pglite: PGlite): Promise<void> {
    for (const statement of this.#session) await pglite.exec(statement);
  }
}

async function runOn(pglite: PGlite | Transaction, text: string, values: unknown[]): Promise<Row[]> {
  if (values.length > 0) return (await pglite.query<Row>(text, values)).rows;
  const results = await pglite.exec(text);
  return results.flatMap(({ rows }) => rows as Row[]);
}

/** Whether the backend itself has ended. An error of a statement has a SQLSTATE, and the backend goes on. */
function isBroken(pglite: PGlite, error: unknown): boolean {
  if (pglite.closed) return true;
  if (!(error instanceof Error)) return true;
  return (
    ["ExitStatus", "RuntimeError"].includes(error.name) ||
    /PGlite is closed|Program terminated|unreachable|Aborted/.test(error.message)
  );
}
