import { InvalidArgumentError } from "../../../rpc/errors.ts";
import { toBytes } from "../bytes.ts";
import { toBase64 } from "../files/base64.ts";
import { ByteList } from "../../../rpc/byte-list.ts";
import { StdinClosedError } from "./exec-errors.ts";

/** The part of a command's handle that stdin uses. */
export interface StdinHost {
  /** Sends these bytes, or the end of input, to the command. Resolves with false if the command has ended. */
  send(message: { deltaBase64?: string; closeStdin?: true }): Promise<boolean>;
}

/** Maximum bytes per message: a WebSocket frame has a size limit. */
const PIECE = 1_048_576;

/**
 * The input of a command. Writes arrive in the order of the calls, whether they are awaited or not.
 *
 * Waiting writes are sent as one message: the server queues 128 messages for a command that does not read, and then
 * ignores further messages for that command, including the request to kill it.
 */
export class ExecStdin {
  readonly #host: StdinHost | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Writes that wait for the previous message. */
  #waiting: { readonly bytes: ByteList; readonly sent: Promise<void> } | undefined;
  #ended: Promise<void> | undefined;

  /** @param host undefined if the command has no stdin */
  constructor(host: StdinHost | undefined) {
    this.#host = host;
  }

  /**
   * Writes bytes, or text as UTF-8. Resolves when the server has accepted them. Rejects with `stdin_closed` after
   * `end()`, or if the command ends first.
   */
  async write(data: string | Uint8Array): Promise<void> {
    const host = this.#open();
    if (this.#ended)
      throw new StdinClosedError("cannot write after the end of stdin", { delivery: "notSent" });
    const bytes = toBytes("data", data);
    this.#waiting ??= this.#batch(host);
    this.#waiting.bytes.append(bytes === data ? bytes.slice() : bytes);
    await this.#waiting.sent;
  }

  /**
   * Closes stdin after the pending writes: the command reads an end of file. Does nothing if the command has ended.
   */
  async end(): Promise<void> {
    const host = this.#open();
    this.#ended ??= this.#inTurn(async () => {
      await host.send({ closeStdin: true });
    });
    await this.#ended;
  }

  #open(): StdinHost {
    if (this.#host) return this.#host;
    throw new InvalidArgumentError("the command has no stdin: run it with the option stdin or tty");
  }

  #batch(host: StdinHost): { bytes: ByteList; sent: Promise<void> } {
    const bytes = new ByteList();
    const sent = this.#inTurn(async () => {
      this.#waiting = undefined;
      const all = bytes.joined();
      for (let from = 0; from < all.length; from += PIECE) {
        if (await host.send({ deltaBase64: toBase64(all.subarray(from, from + PIECE)) })) continue;
        throw new StdinClosedError("the command ended before it received all of its input", {
          delivery: "unknown",
        });
      }
    });
    return { bytes, sent };
  }

  #inTurn(run: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(run);
    this.#last = mine.catch(() => {});
    return mine;
  }
}
