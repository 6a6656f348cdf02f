import { setTimeout as sleep } from "node:timers/promises";
import { decodeRow, encodeParameter } from "./codec.ts";
import { isConflict, unavailable } from "./failures.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Runs statements. pg-boss and our tables use the same one, so that both change in one transaction. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

export interface Transaction extends Executor {
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A connection to one kind of database. Texts are not encoded yet, errors are those of the driver. */
export interface Driver {
  /** Runs a statement, or several if there are no values. */
  run(text: string, values: unknown[]): Promise<Row[]>;
  transaction<T>(work: (run: Driver["run"]) => Promise<T>, isSnapshot: boolean): Promise<T>;
  /** Statements for every session. Tests set their clock with them. */
  setSessionStatements(statements: string[]): Promise<void>;
  close(): Promise<void>;
}

/** How often a transaction is tried that another one got in the way of. */
const TRIES = 8;

/** The database of a job store. Its errors are `FleetError`s if the database is away. */
export class Database implements Executor {
  readonly #driver: Driver;
  #isClosed = false;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  async query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.executeSql(text, [...values]);
    return rows;
  }

  async executeSql(text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
    this.#requireOpen();
    try {
      return { rows: await runWith((...args) => this.#driver.run(...args), text, values) };
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Runs `work` in one transaction. It runs again if another transaction got in the way. */
  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { isSnapshot = false }: { isSnapshot?: boolean } = {},
  ): Promise<T> {
    for (let tried = 1; ; tried++) {
      this.#requireOpen();
      try {
        return await this.#driver.transaction((run) => work(transactionOf(run)), isSnapshot);
      } catch (error) {
        if (!isConflict(error) || tried === TRIES) throw unavailable(error);
        await sleep(Math.random() * 10 * tried);
      }
    }
  }

  async setSessionStatements(statements: string[]): Promise<void> {
    await this.#driver.setSessionStatements(statements);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#driver.close();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw unavailable(undefined, "The job store is closed.");
  }
}

function transactionOf(run: Driver["run"]): Transaction {
  const executeSql = async (text: string, values: unknown[] = []): Promise<{ rows: Row[] }> => ({
    rows: await runWith(run, text, values),
  });
  return {
    executeSql,
    query: async (text, values = []) => (await executeSql(text, [...values])).rows,
  };
}

async function runWith(run: Driver["run"], text: string, values: unknown[]): Promise<Row[]> {
  const rows = await run(text, values.map(encodeParameter));
  return rows.map(decodeRow);
}
