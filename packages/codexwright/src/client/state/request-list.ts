import type { PendingRequest } from "./state.ts";

/** Pending requests under change: they are found by their ids, and made a list again when somebody looks. */
export class RequestList {
  #list: readonly PendingRequest[];
  /** Made when first needed. */
  #byId: Map<unknown, PendingRequest> | undefined;
  #changed = false;

  constructor(list: readonly PendingRequest[]) {
    this.#list = list;
  }

  /** In the order they came: the same object until something changes, and never changed afterwards. */
  get list(): readonly PendingRequest[] {
    if (this.#changed && this.#byId) this.#list = [...this.#byId.values()];
    this.#changed = false;
    return this.#list;
  }

  /** Adds a request behind all others, in place of an older one of its id. */
  put(request: PendingRequest): void {
    const byId = this.#index();
    byId.delete(request.requestId);
    byId.set(request.requestId, request);
    this.#changed = true;
  }

  drop(requestId: unknown): void {
    if (this.#index().delete(requestId)) this.#changed = true;
  }

  dropAll(which: (request: PendingRequest) => boolean): void {
    for (const request of this.list) if (which(request)) this.drop(request.requestId);
  }

  #index(): Map<unknown, PendingRequest> {
    this.#byId ??= new Map(this.#list.map((request) => [request.requestId, request]));
    return this.#byId;
  }
}
