// The part of the package that we use. It has no types of its own.
declare module "pg" {
  import type { EventEmitter } from "node:events";

  export interface PoolConfig {
    readonly connectionString: string;
    readonly application_name?: string;
    readonly max?: number;
    readonly keepAlive?: boolean;
    readonly connectionTimeoutMillis?: number;
    readonly query_timeout?: number;
    readonly statement_timeout?: number;
    readonly idle_in_transaction_session_timeout?: number;
  }

  export interface Result {
    readonly rows: Record<string, unknown>[];
  }

  export interface PoolClient extends EventEmitter {
    /** A text with several statements has several results. */
    query(text: string, values?: unknown[]): Promise<Result | Result[]>;
    /** Gives the connection back; with `true`, ends it. */
    release(end?: boolean): void;
  }

  export class Pool extends EventEmitter {
    constructor(config: PoolConfig);
    connect(): Promise<PoolClient>;
    query(text: string): Promise<Result | Result[]>;
    end(): Promise<void>;
  }

  const pg: { readonly Pool: typeof Pool };
  export default pg;
}
