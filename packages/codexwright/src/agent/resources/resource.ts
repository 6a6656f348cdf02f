import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** A typed key for something that tools use: a file system, a database, a client. */
export interface Resource<T> {
  readonly name: string;
  /** Only for type inference; never set. */
  readonly type?: T;
}

/**
 * How long an opened resource is shared: for the whole run (`run`), for one tool call (`call`), or not at all
 * (`transient`). A `transient` resource is opened anew for each request.
 */
export type ResourceScope = "run" | "call" | "transient";

/** Returns resources, and opens them on first use. */
export interface ResourceReader {
  get<T>(resource: Resource<T>): Promise<T>;
}

/** Opens a resource. Created with `provide()`. */
export interface Provider {
  readonly resource: Resource<unknown>;
  readonly scope: ResourceScope;
  readonly open: (resources: ResourceReader) => unknown;
}

/**
 * A resource that supports rollback: when a transactional tool fails, the resource is restored to its state before the
 * call.
 */
export interface Snapshotable<S = unknown> {
  snapshot(): S | Promise<S>;
  restore(snapshot: S): void | Promise<void>;
}

/** Options of `provide()`. */
export interface ProvideOptions {
  /** Default `"run"`. */
  readonly scope?: ResourceScope | undefined;
}

const PROVIDE: Table<ProvideOptions> = { scope: is.oneOf("run", "call", "transient") };

/** Defines a resource. The name appears in messages. */
export function resource<T>(name: string): Resource<T> {
  is.checkArgument("resource()", "name", name, is.nonEmptyText);
  return Object.freeze({ name });
}

/**
 * Defines how a resource is opened. At the end of the scope, values with `Symbol.asyncDispose` or `Symbol.dispose`
 * are disposed in reverse order of opening. `Snapshotable` values take part in rollbacks.
 */
export function provide<T>(
  key: Resource<T>,
  open: (resources: ResourceReader) => T | Promise<T>,
  options: ProvideOptions = {},
): Provider {
  is.checkArgument<object>("provide()", "resource", key, is.object);
  is.checkArgument("provide()", "open", open, is.func);
  checkOptions("provide()", options, PROVIDE);
  const { scope = "run" } = options;
  return Object.freeze({ resource: key, scope, open });
}

/** True if the value supports rollback. */
export function isSnapshotable(value: unknown): value is Snapshotable {
  if (typeof value !== "object" || value === null) return false;
  const { snapshot, restore } = value as Partial<Snapshotable>;
  return typeof snapshot === "function" && typeof restore === "function";
}
