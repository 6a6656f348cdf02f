import { Emitter } from "./emitter.ts";
import type { ClientEvents, NamedByHandle } from "./events.ts";

/** Characters of stderr that are kept. */
const LONGEST = 8192;

/** Keeps the end of what a server writes to stderr, from its start on: listeners may come later. */
export abstract class StderrTail extends Emitter<ClientEvents, NamedByHandle> {
  #tail = "";

  /** The last 8,192 characters that a server of this client wrote to stderr; undefined if it wrote nothing. */
  get stderrTail(): string | undefined {
    return this.#tail === "" ? undefined : this.#tail;
  }

  override emit<K extends keyof ClientEvents>(event: K, ...args: ClientEvents[K]): boolean {
    if (event === "stderr") this.#tail = (this.#tail + (args as ClientEvents["stderr"])[0]).slice(-LONGEST);
    return super.emit(event, ...args);
  }
}
