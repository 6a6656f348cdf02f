import { ModelClosedError, unexpectedCall, type UnexpectedModelCall } from "../scripted-model.ts";
import type { ModelRequest } from "../model-request.ts";
import type { ModelItem, ModelScript } from "../model-steps.ts";
import { checkScript, itemsOf } from "../model-stream.ts";

interface Waiter {
  readonly index: number;
  resolve(request: ModelRequest): void;
  reject(error: Error): void;
}

/** The script of a fake server, which answers in place of a model. */
export class FakeModel {
  readonly requests: ModelRequest[] = [];
  readonly unexpected: UnexpectedModelCall[] = [];
  readonly #script: ModelScript;
  #waiters: Waiter[] = [];
  #closed = false;

  constructor(script: ModelScript) {
    checkScript(script);
    this.#script = script;
  }

  /** Returns the items of the next response, or why there is none. */
  async ask(request: ModelRequest): Promise<readonly ModelItem[] | UnexpectedModelCall> {
    this.requests.push(request);
    const due = this.#waiters.filter((waiter) => waiter.index === request.index);
    this.#waiters = this.#waiters.filter((waiter) => waiter.index !== request.index);
    for (const waiter of due) waiter.resolve(request);
    const script = this.#script;
    let answer: UnexpectedModelCall;
    try {
      const step = typeof script === "function" ? script : script[request.index];
      const made = typeof step === "function" ? await step(request) : step;
      if (made !== undefined) return itemsOf(made);
      answer = unexpectedCall(request, script);
    } catch (cause) {
      answer = unexpectedCall(request, script, cause);
    }
    this.unexpected.push(answer);
    return answer;
  }

  async request(index: number): Promise<ModelRequest> {
    const arrived = this.requests[index];
    if (arrived !== undefined) return arrived;
    if (this.#closed) throw closedBefore(index);
    return new Promise((resolve, reject) => this.#waiters.push({ index, resolve, reject }));
  }

  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(closedBefore(waiter.index));
  }
}

function closedBefore(index: number): ModelClosedError {
  return new ModelClosedError(`the fake was closed before request ${index} was made`);
}
