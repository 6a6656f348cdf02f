import { messageOf } from "../../schema/schema.ts";
import { CodexError, InvalidArgumentError } from "../../rpc/errors.ts";
import {
  isSnapshotable,
  type Provider,
  type Resource,
  type ResourceReader,
  type Snapshotable,
} from "./resource.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** A resource could not be opened. The error that the provider threw is the `cause`. */
export class ResourceFailedError extends CodexError {
  readonly code = "resource_failed";
  readonly resource: string;

  constructor(name: string, cause: unknown) {
    super(`the resource ${JSON.stringify(name)} could not be opened: ${messageOf(cause)}`, { cause });
    this.resource = name;
  }
}

/** Options of `new Resources()`. */
export interface ResourcesOptions {
  /** Called with errors of disposal and rollback, because these errors are never thrown. */
  readonly onError?: ((message: string, error: unknown) => void) | undefined;
}

const OPTIONS: Table<ResourcesOptions> = { onError: is.func };

/** The resources of one tool call. */
export interface CallResources extends ResourceReader, AsyncDisposable {
  /** Disposes the resources that were opened for the call. */
  close(): Promise<void>;
}

type Path = readonly Resource<unknown>[];

/** The providers and error handler that all scopes of a run share. */
interface Shared {
  readonly providers: ReadonlyMap<Resource<unknown>, Provider>;
  readonly onError: (message: string, error: unknown) => void;
}

/**
 * Called before a tool call receives a resource. `found` has all open resources that support rollback, with their
 * names.
 */
export type Hold = (found: ReadonlyMap<Snapshotable, string>) => Promise<void>;

/** The open resources of one scope, with access to those of the run. */
class Scope implements CallResources {
  readonly #shared: Shared;
  readonly #run: Scope | undefined;
  readonly #hold: Hold | undefined;
  /** In order of opening. */
  readonly #opened: { readonly name: string; readonly value: unknown }[] = [];
  readonly #shareable = new Map<Resource<unknown>, Promise<unknown>>();
  #closed = false;
  #held: Promise<void> = Promise.resolve();

  /** @param run the scope of the run, if this is the scope of a call */
  constructor(shared: Shared, run?: Scope, hold?: Hold) {
    this.#shared = shared;
    this.#run = run;
    this.#hold = hold;
  }

  get<T>(key: Resource<T>): Promise<T> {
    is.checkArgument<object>("resources.get()", "key", key, is.object);
    const found = this.#get(key) as Promise<T>;
    found.catch(() => {}); // a tool that has ended may never await it
    return found;
  }

  /** The open resources that support rollback, each with a description for messages. */
  snapshotables(): Map<Snapshotable, string> {
    const found = new Map(this.#run?.snapshotables());
    for (const { name, value } of this.#opened) {
      if (isSnapshotable(value)) found.set(value, `the resource ${JSON.stringify(name)}`);
    }
    return found;
  }

  async #get(key: Resource<unknown>): Promise<unknown> {
    const value = await this.#find(key, []);
    if (this.#hold) {
      const hold = this.#hold;
      // Never run `hold` twice at the same time: a tool may request several resources concurrently.
      const held = this.#held.then(async () => hold(this.snapshotables()));
      this.#held = held.catch(() => {});
      await held;
    }
    return value;
  }

  /**
   * Does not wait for a resource that is still opening, because that may take forever. Such a resource is disposed as
   * soon as it has opened.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (let last = this.#opened.pop(); last; last = this.#opened.pop()) {
      try {
        await dispose(last.value);
      } catch (error) {
        this.#shared.onError(`the resource ${JSON.stringify(last.name)} could not be disposed`, error);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #find(key: Resource<unknown>, path: Path): Promise<unknown> {
    const provider = this.#shared.providers.get(key);
    const name = JSON.stringify(key.name);
    if (!provider) {
      throw new InvalidArgumentError(`the resource ${name} has no provider: pass provide(…) for it`);
    }
    if (path.includes(key)) {
      const circle = [...path.slice(path.indexOf(key)), key].map((one) => one.name).join(" → ");
      throw new InvalidArgumentError(`resources depend on each other in a cycle: ${circle}`);
    }
    if (provider.scope === "call" && !this.#run) {
      throw new InvalidArgumentError(
        `the resource ${name} has scope "call" and can be used only during a tool call`,
      );
    }
    if (this.#closed)
      throw new InvalidArgumentError(`the resource ${name} was requested after the end of its scope`);
    if (provider.scope === "transient") return await this.#create(provider, path);
    const owner = provider.scope === "run" ? (this.#run ?? this) : this;
    return await owner.#once(provider, path);
  }

  async #once(provider: Provider, path: Path): Promise<unknown> {
    const { resource } = provider;
    let opening = this.#shareable.get(resource);
    if (!opening) {
      opening = this.#create(provider, path);
      this.#shareable.set(resource, opening);
      // If the resource could not be opened, the next request may try again.
      opening.catch(() => this.#shareable.delete(resource));
    }
    return await opening;
  }

  async #create({ resource, open }: Provider, path: Path): Promise<unknown> {
    const inner = [...path, resource];
    let value: unknown;
    try {
      value = await open({ get: async <T>(key: Resource<T>) => (await this.#find(key, inner)) as T });
    } catch (error) {
      if (error instanceof InvalidArgumentError || error instanceof ResourceFailedError) throw error;
      throw new ResourceFailedError(resource.name, error);
    }
    this.#opened.push({ name: resource.name, value });
    if (this.#closed) {
      await this[Symbol.asyncDispose]();
      throw new InvalidArgumentError(
        `the resource ${JSON.stringify(resource.name)} was opened after the end of its scope`,
      );
    }
    return value;
  }
}

/** The resources of a run. */
export class Resources implements ResourceReader, AsyncDisposable {
  readonly #shared: Shared;
  readonly #run: Scope;

  constructor(providers: readonly Provider[], options: ResourcesOptions = {}) {
    is.checkArgument("new Resources()", "providers", providers, is.listOf(is.object));
    checkOptions("new Resources()", options, OPTIONS);
    const { onError = () => {} } = options;
    const byResource = new Map(providers.map((provider) => [provider.resource, provider]));
    if (byResource.size < providers.length) {
      const keys = providers.map(({ resource }) => resource);
      const twice = keys.find((key, index) => keys.indexOf(key) < index);
      throw new InvalidArgumentError(
        `the resource ${JSON.stringify(twice?.name)} must have one provider, but has two`,
      );
    }
    this.#shared = { providers: byResource, onError };
    this.#run = new Scope(this.#shared);
  }

  get<T>(resource: Resource<T>): Promise<T> {
    return this.#run.get(resource);
  }

  /** Called with errors of rollback. */
  get onError(): (message: string, error: unknown) => void {
    return this.#shared.onError;
  }

  /** The open resources of the run that support rollback, each with a description for messages. */
  snapshotables(): ReadonlyMap<Snapshotable, string> {
    return this.#run.snapshotables();
  }

  /** Returns the resources for one tool call: those of the run, and those that only this call uses. */
  call(hold?: Hold): CallResources {
    return new Scope(this.#shared, this.#run, hold);
  }

  /** Disposes all open resources, in reverse order of opening. */
  async close(): Promise<void> {
    await this.#run.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function dispose(value: unknown): Promise<void> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
  const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = value as Partial<
    AsyncDisposable & Disposable
  >;
  if (later) await later.call(value);
  else now?.call(value);
}
