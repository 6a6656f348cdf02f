import { fullName } from "../../tools/tool-check.ts";
import { RecentMap } from "../../rpc/recent-map.ts";
import type { Answerer } from "./request-router.ts";

/** Calls that are remembered: a server can begin any number of them. */
const MOST_CALLS = 1_024;
/** Calls that are named. */
const MOST_NAMES = 5;
/** Characters of a name: it may be the model's. */
const LONGEST_NAME = 100;

/** What a run is doing, for the error of a deadline that passes meanwhile. */
export class Activity {
  #step = "the start of the run";
  readonly #calls = new RecentMap<unknown, string>(MOST_CALLS);

  /** The run is at this step, and no call of the step before is running any more. */
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

  /** Tools that run and questions that wait for an answer; without any, the step. */
  toString(): string {
    if (this.#calls.size === 0) return this.#step;
    const names = [...this.#calls.values()];
    const more = names.length - MOST_NAMES;
    return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
  }

  /** An answerer whose requests count as calls of the run for as long as they are being answered. */
  watching({ callTool, answer }: Answerer): Answerer {
    return {
      callTool: async (params, request) =>
        this.#during(`the tool ${fullName(params.tool, params.namespace)}`, () => callTool(params, request)),
      answer: async (method, params, request) =>
        this.#during(
          /approval/i.test(method) ? "the wait for an approval" : "the wait for an answer of the user",
          () => answer(method, params, request),
        ),
    };
  }

  async #during<T>(what: string, call: () => Promise<T>): Promise<T> {
    const key = {};
    this.begin(key, what);
    try {
      return await call();
    } finally {
      this.end(key);
    }
  }
}
