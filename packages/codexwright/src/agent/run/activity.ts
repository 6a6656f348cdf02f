import { fullName } from "../../tools/tool-check.ts";
import { RecentMap } from "../../rpc/recent-map.ts";
import type { Pulse } from "./pulse.ts";
import type { Answerer } from "./request-router.ts";

/** Maximum number of calls to remember: a server can start any number of them. */
const MOST_CALLS = 1_024;
/** Maximum number of calls to name in a message. */
const MOST_NAMES = 5;
/** Maximum characters of a name, which may come from the model. */
const LONGEST_NAME = 100;

/** Tracks the current work of a run, for the message of a deadline error. */
export class Activity {
  #step = "the start of the run";
  readonly #pulse: Pulse;
  readonly #calls = new RecentMap<unknown, string>(MOST_CALLS);

  constructor(pulse: Pulse) {
    this.#pulse = pulse;
  }

  /** Enters a step. All calls of the previous step are over. */
  at(step: string): void {
    this.#step = step;
    this.#calls.clear();
  }

  begin(key: unknown, what: string): void {
    this.#calls.set(key, what.length > LONGEST_NAME ? `${what.slice(0, LONGEST_NAME)}…` : what);
  }

  end(key: unknown): void {
    this.#calls.delete(key);
  }

  /** The running tools and the questions that wait for an answer. If there are none, the current step. */
  toString(): string {
    if (this.#calls.size === 0) return this.#step;
    const names = [...this.#calls.values()];
    const more = names.length - MOST_NAMES;
    return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  }

  /** Wraps an answerer, so that each request counts as a call of the run while it is being answered. */
  watching({ callTool, answer }: Answerer): Answerer {
    return {
      callTool: async (params, request) =>
        this.#during(`the tool ${fullName(params.tool, params.namespace)}`, () => callTool(params, request)),
      answer: async (method, params, request) =>
        this.#during(
          /approval/i.test(method) ? "the wait for an approval" : "the wait for an answer from the user",
          () => answer(method, params, request),
        ),
    };
  }

  async #during<T>(what: string, call: () => Promise<T>): Promise<T> {
    const key = {};
    this.begin(key, what);
    try {
      return await this.#pulse.hold(call);
    } finally {
      this.end(key);
    }
  }
}
