import type { Pool, PoolClient } from "pg";
import { FleetError } from "../../domain/errors.ts";
import type { Driver, Row } from "../database/database.ts";
import { sqlState } from "../database/failures.ts";

/**
 * The longest that a statement takes, and that a transaction waits for the next one. A process that is stopped in a
 * transaction must not keep the scope locked.
 */
const LONGEST_MS = 15_000;

/** A pool of connections to PostgreSQL. */
export class PostgresDriver implements Driver {
  readonly #pool: Pool;
  #session: readonly string[] = [];
  /** The connections that ran the session statements, with those statements. */
  readonly #prepared = new WeakMap<PoolClient, readonly string[]>();

  private constructor(pool: Pool) {
    this.#pool = pool;
    // An idle connection can break. The next statement opens another.
    pool.on("error", () => {});
  }

  static async open(url: string): Promise<PostgresDriver> {
    // The message does not contain the URL: it can have a password.
    if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol))
      throw new FleetError(
        "database_unavailable",
        "The database URL must have the form postgres://user:password@host:port/database.",
      );
    const { default: pg } = await import("pg");
    return new PostgresDriver(
      new pg.Pool({
        connectionString: url,
        application_name: "codexwright",
        max: 10,
        keepAlive: true,
        connectionTimeoutMillis: 5000,
        query_timeout: LONGEST_MS,
        statement_timeout: LONGEST_MS,
        idle_in_transaction_session_timeout: LONGEST_MS,
      }),
    );
  }

  async run(text: string, values: unknown[]): Promise<Row[]> {
    return await this.#with(async (client) => {
      try {
        return await runOn(client, text, values);
      } catch (error) {
        // pg-boss sends transactions as one text. One that failed must not stay open.
        if (values.length === 0 && sqlState(error) !== undefined) await client.query("ROLLBACK");
        throw error;
      }
    });
  }

  async transaction<T>(work: (run: Driver["run"]) => Promise<T>, isSnapshot: boolean): Promise<T> {
    return await this.#with(async (client) => {
      await client.query(isSnapshot ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN");
      try {
        const result = await work((text, values) => runOn(client, text, values));
        await client.query("COMMIT");
        return result;
      } catch (error) {
        // A connection that cannot roll back is ended below.
        if (sqlState(error) !== undefined || !isOfConnection(error)) await client.query("ROLLBACK");
        throw error;
      }
    });
  }

  async setSessionStatements(statements: string[]): Promise<void> {
    this.#session = statements;
    await Promise.resolve();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #with<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // A pool does not hear the errors of connections that are in use.
    const ignore = (): void => {};
    client.on("error", ignore);
    let isBroken = false;
    try {
      await this.#prepare(client);
      return await work(client);
    } catch (error) {
      isBroken = sqlState(error)?.startsWith("57P") ?? isOfConnection(error);
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(isBroken);
    }
  }

  async #prepare(client: PoolClient): Promise<void> {
    if (this.#session.length === 0 || this.#prepared.get(client) === this.#session) return;
    for (const statement of this.#session) await client.query(statement);
    this.#prepared.set(client, this.#session);
  }
}

async function runOn(client: PoolClient, text: string, values: unknown[]): Promise<Row[]> {
  const results = await (values.length === 0 ? client.query(text) : client.query(text, values));
  return [results].flat().flatMap(({ rows }) => rows);
}

/** Whether the error is not about a statement or our code, but about the connection. */
function isOfConnection(error: unknown): boolean {
  return error instanceof Error && sqlState(error) === undefined && !("delivery" in error);
}
