import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** Names something that tools use: a file system, a database, a client. */
export interface Resource<T> {
  readonly name: string;
  /** Exists for the compiler only. */
  readonly type?: T;
}

/** How long an opened resource lives: as long as the run, as the tool call, or opened anew each time it is asked for. */
export type ResourceScope = "run" | "call" | "transient";

/** Gives resources, opened when they are first asked for. */
export interface ResourceReader {
  get<T>(resource: Resource<T>): Promise<T>;
}

/** How a resource is opened. Made by `provide()`. */
export interface Provider {
  readonly resource: Resource<unknown>;
  readonly scope: ResourceScope;
  readonly open: (resources: ResourceReader) => unknown;
}

/** Takes part in rollbacks: a failing transactional tool leaves it as it was before the call. */
export interface Snapshotable<S = unknown> {
  snapshot(): S | Promise<S>;
  restore(snapshot: S): void | Promise<void>;
}

/** How `provide()` opens a resource. */
export interface ProvideOptions {
  /** Default `"run"`. */
  readonly scope?: ResourceScope | undefined;
}

const PROVIDE: Table<ProvideOptions> = { scope: is.oneOf("run", "call", "transient") };

/** Defines a resource; the name is for messages. */
export function resource<T>(name: string): Resource<T> {
  is.checkArgument("resource()", "name", name, is.nonEmptyText);
  return Object.freeze({ name });
}

/**
 * Says how a resource is opened. What has `Symbol.asyncDispose` or `Symbol.dispose` is disposed of at the end of its
 * scope, the last opened first; what is `Snapshotable` takes part in rollbacks.
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

/** True for what takes part in rollbacks. */
export function isSnapshotable(value: unknown): value is Snapshotable {
  if (typeof value !== "object" || value === null) return false;
  const { snapshot, restore } = value as Partial<Snapshotable>;
  return typeof snapshot === "function" && typeof restore === "function";
}
