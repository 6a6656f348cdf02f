import { InvalidArgumentError } from "../../../rpc/errors.ts";
import { toBytes } from "../bytes.ts";
import { toBase64 } from "../files/base64.ts";
import { ByteList } from "../../../rpc/byte-list.ts";
import { StdinClosedError } from "./exec-errors.ts";

/** What the handle of a command does for its stdin. */
export interface StdinHost {
  /** Sends these bytes, or the end, to the command; false where it has ended. */
  send(message: { deltaBase64?: string; closeStdin?: true }): Promise<boolean>;
}

/** One message carries at most this much: a frame of a WebSocket has a limit. */
const PIECE = 1_048_576;

/**
 * The input of a command. What is written arrives in the order of the calls, awaited or not.
 *
 * What waits is sent as one message: the server queues 128 of them for a command that does not read, and
 * then hears nothing more about that command, not even that it is to be killed.
 */
export class ExecStdin {
  readonly #host: StdinHost | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** What is written while something else is on its way. */
  #waiting: { readonly bytes: ByteList; readonly sent: Promise<void> } | undefined;
  #ended: Promise<void> | undefined;

  /** Without a host there is no stdin to write to. */
  constructor(host: StdinHost | undefined) {
    this.#host = host;
  }

  /**
   * Writes bytes, or text as UTF-8; resolves when the server has taken them. Rejects `stdin_closed` after `end()`
   * and where the command ends before.
   */
  async write(data: string | Uint8Array): Promise<void> {
    const host = this.#open();
    if (this.#ended)
      throw new StdinClosedError("nothing can be written behind the end of stdin", { delivery: "notSent" });
    const bytes = toBytes("data", data);
    this.#waiting ??= this.#batch(host);
    this.#waiting.bytes.append(bytes === data ? bytes.slice() : bytes);
    await this.#waiting.sent;
  }

  /** Ends stdin behind what was written: the command reads an end of file. Nothing happens where it has ended. */
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
        throw new StdinClosedError("the command ended before it was given all of what was written", {
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
