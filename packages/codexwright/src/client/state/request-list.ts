import type { PendingRequest } from "./state.ts";

/** Pending requests, indexed by id. The list is rebuilt lazily. */
export class RequestList {
  #list: readonly PendingRequest[];
  /** Created on first use. */
  #byId: Map<unknown, PendingRequest> | undefined;
  #changed = false;

  constructor(list: readonly PendingRequest[]) {
    this.#list = list;
  }

  /**
   * The requests in order of arrival. Returns the same object until something changes; a returned list never changes.
   */
  get list(): readonly PendingRequest[] {
    if (this.#changed && this.#byId) this.#list = [...this.#byId.values()];
    this.#changed = false;
    return this.#list;
  }

  /** Adds a request at the end, and removes an older one with the same id. */
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
