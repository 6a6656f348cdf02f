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
  watching(answerer: Answerer): Answerer {
    return {
      answer: async (method, params, context) => {
        const key = {};
        this.begin(key, requested(method, params));
        try {
          return await answerer.answer(method, params, context);
        } finally {
          this.end(key);
        }
      },
    };
  }
}

function requested(method: string, params: unknown): string {
  if (method === "item/tool/call") {
    const { tool, namespace } = params as { tool: string; namespace?: string | null };
    return `the tool ${fullName(tool, namespace)}`;
  }
  if (/approval/i.test(method)) return "the wait for an approval";
  return "the wait for an answer of the user";
}
