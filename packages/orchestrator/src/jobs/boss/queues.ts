import { randomUUID } from "node:crypto";
import type { Clock, PgBoss } from "pg-boss";
import type { Database, Transaction } from "../database/database.ts";

/** A job as this process took it: its id and how often it was retried. */
export interface Taken {
  readonly id: string;
  readonly retryCount: number;
}

export interface QueuesOptions {
  readonly database: Database;
  readonly backend: "pglite" | "postgres";
  readonly schema: string;
  /** Called when the maintenance of pg-boss fails. */
  readonly warn: (message: string) => void;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** A job without an end of its own: nothing in the queue fails it for good, and nothing deletes it. */
const ENDLESS = {
  retryLimit: 1_000_000,
  retentionSeconds: 10 * 365 * 86_400,
  deleteAfterSeconds: 3600,
} as const;
/** Above every limit of a session, and below the most that pg-boss allows. */
const RUN_SECONDS = 86_400 - 1;
/** How long a process keeps a due retry, or a cleanup, before another one gets it. */
const SHORT_SECONDS = 900;

/** The jobs: pg-boss behind the few calls that the job store needs. All but `start` and `stop` run in transactions. */
export class Queues {
  readonly #boss: PgBoss;
  readonly #schema: string;
  readonly #database: Database;
  readonly #known = new Map<string, Promise<void>>();

  private constructor(boss: PgBoss, schema: string, database: Database) {
    this.#boss = boss;
    this.#schema = schema;
    this.#database = database;
  }

  /** Begins to load pg-boss, so that it does not have to be loaded later. A failure is reported by `load`. */
  static preload(): void {
    import("pg-boss").catch(() => {});
  }

  static async load({ database, backend, schema, warn, clock }: QueuesOptions): Promise<Queues> {
    const { PgBoss: Boss } = await import("pg-boss");
    const boss = new Boss({
      db: {
        executeSql: (text, values) => database.executeSql(text, values),
        setSessionStatements: (statements) => database.setSessionStatements(statements),
      },
      backend,
      schema,
      schedule: false,
      reindex: false,
      monitorVacuum: false,
      // The defaults of a minute would make a crash cost minutes.
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      maintenanceIntervalSeconds: 300,
      // A refresh that overlaps with a new queue would make pg-boss forget the queue for a moment.
      queueCacheIntervalSeconds: 86_400,
      ...(clock === undefined ? {} : { clock }),
    });
    boss.on("error", (error) => warn(`job queue: ${error.message}`));
    return new Queues(boss, schema, database);
  }

  /** Makes or migrates the tables of pg-boss, and starts its housekeeping. */
  async start(): Promise<void> {
    await this.#boss.start();
    // pg-boss has read these queues, too, so it remembers them.
    for (const { name } of await this.#boss.getQueues()) this.#known.set(name, Promise.resolve());
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false, timeout: 1000 });
  }

  /** Makes queues that do not exist. Never inside a transaction: the embedded database has one connection. */
  async ensure(...names: readonly string[]): Promise<void> {
    for (const name of new Set(names)) {
      const known = this.#known.get(name) ?? this.#create(name);
      this.#known.set(name, known);
      try {
        await known;
      } catch (error) {
        this.#known.delete(name);
        throw error;
      }
    }
  }

  async #create(name: string): Promise<void> {
    const isRun = name.startsWith("run/");
    await this.#boss.createQueue(name, {
      ...ENDLESS,
      // The second belt beside the claims table: one job per claim.
      policy: isRun ? "exclusive" : "standard",
      expireInSeconds: isRun ? RUN_SECONDS : SHORT_SECONDS,
    });
    // Now pg-boss remembers the queue. It sends no query of its own about it inside a transaction.
    await this.#boss.touch(name, randomUUID());
  }

  async add(
    tx: Transaction,
    queue: string,
    job: { readonly id: string; readonly key: string; readonly delayMs?: number; readonly leaseMs?: number },
  ): Promise<void> {
    const { id, key, delayMs = 0, leaseMs } = job;
    const added = await this.#boss.insert(
      queue,
      [
        {
          id,
          singletonKey: key,
          startAfter: delayMs / 1000,
          ...(leaseMs === undefined ? {} : { heartbeatSeconds: seconds(leaseMs) }),
        },
      ],
      { db: tx, returnId: true },
    );
    if (added?.length !== 1) throw new TypeError(`The job of claim ${key} exists already.`);
  }

  /** Takes jobs whose time has come. */
  async take(tx: Transaction, queue: string, most: number): Promise<Taken[]> {
    if (most < 1) return [];
    const jobs = await this.#boss.fetch(queue, { batchSize: most, db: tx });
    return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
  }

  /** Whether `take` would find a job. */
  async hasReady(...queues: readonly string[]): Promise<boolean> {
    const [row] = await this.#database.query(
      `SELECT EXISTS (SELECT 1 FROM ${this.#schema}.job WHERE name = ANY($1::text[]) AND state < 'active'
         AND start_after <= ${this.#schema}.job_now()) AS ready`,
      [queues],
    );
    return row?.["ready"] === true;
  }

  /** Gives a job that was just taken the lease of its worker. */
  async setLease(tx: Transaction, queue: string, id: string, leaseMs: number): Promise<void> {
    await tx.query(`UPDATE ${this.#schema}.job SET heartbeat_seconds = $3 WHERE name = $1 AND id = $2`, [
      queue,
      id,
      seconds(leaseMs),
    ]);
  }

  /** Ends a job that this process took. Returns false if it no longer has it. */
  async finish(tx: Transaction, queue: string, job: Taken): Promise<boolean> {
    return settledIds(await this.#boss.complete(queue, { ...job }, null, { db: tx })).length === 1;
  }

  /** Removes a job, whichever process has it. Never for a run that goes on: its agent would live on beside the next one. */
  async remove(tx: Transaction, queue: string, id: string): Promise<void> {
    await this.#boss.deleteJob(queue, id, { db: tx });
  }

  /** Whether a process has the job now. Locks the job. */
  async isActive(tx: Transaction, queue: string, id: string): Promise<boolean> {
    const [row] = await tx.query(
      `SELECT state::text AS state FROM ${this.#schema}.job WHERE name = $1 AND id = $2 FOR UPDATE`,
      [queue, id],
    );
    return row?.["state"] === "active";
  }

  /** Renews leases. Returns the ids of the jobs that are still ours. */
  async touch(queue: string, jobs: readonly Taken[]): Promise<ReadonlySet<string>> {
    return new Set(settledIds(await this.#boss.touch(queue, [...jobs])));
  }

  /** Whether the lease of a job is ours and not over. */
  async holds(queue: string, job: Taken): Promise<boolean> {
    const [row] = await this.#database.query(
      `SELECT heartbeat_on + heartbeat_seconds * interval '1 second' > ${this.#schema}.job_now() AS holds
       FROM ${this.#schema}.job WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'`,
      [queue, job.id, job.retryCount],
    );
    return row?.["holds"] === true;
  }

  /** Gives back all jobs of queues that processes have. Only if these processes are dead. */
  async giveBack(tx: Transaction, queues: readonly string[]): Promise<void> {
    for (const queue of queues) {
      const rows = await tx.query(
        `SELECT id FROM ${this.#schema}.job WHERE name = $1 AND state = 'active' FOR UPDATE`,
        [queue],
      );
      if (rows.length > 0)
        await this.#boss.fail(
          queue,
          rows.map((row) => String(row["id"])),
          null,
          { db: tx },
        );
    }
  }
}

function seconds(leaseMs: number): number {
  return Math.max(1, Math.ceil(leaseMs / 1000));
}

/** The ids of the jobs that a call changed. pg-boss returns them, but its types do not say so. */
function settledIds(response: { readonly settled?: readonly string[] | null }): readonly string[] {
  return response.settled ?? [];
}
