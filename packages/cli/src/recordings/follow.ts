import { watch } from "node:fs";
import { open } from "node:fs/promises";
import { parseRecording, type RecordingLine } from "codexwright/recording";

/** How often to check the file, because some file systems do not report changes. */
const LOOK_AGAIN_MS = 1_000;
const CHUNK = 64 * 1024;

/** Yields the lines of a recording that is still being written, until the signal aborts. */
export async function* follow(file: string, signal: AbortSignal): AsyncGenerator<RecordingLine> {
  const handle = await open(file, "r");
  const changes = new Changes(file, signal);
  try {
    const decoder = new TextDecoder();
    const buffer = Buffer.alloc(CHUNK);
    let text = "";
    let header: string | undefined;
    while (!signal.aborted) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK);
      if (bytesRead === 0) {
        await changes.next();
        continue;
      }
      text += decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        // Each line is checked for its place: as the header, or as an entry after the header.
        const recording = parseRecording(header === undefined ? `${line}\n` : `${header}\n${line}\n`);
        header ??= line;
        const last = recording.at(-1);
        if (last) yield last;
      }
    }
  } finally {
    changes.close();
    await handle.close();
  }
}

/** Wakes the reader when the file has changed or may have changed. */
class Changes {
  readonly #watcher: ReturnType<typeof watch>;
  readonly #signal: AbortSignal;
  #changed = false;
  #wake: () => void = () => {};

  constructor(file: string, signal: AbortSignal) {
    this.#signal = signal;
    this.#watcher = watch(file, () => this.#note()).on("error", () => {});
    signal.addEventListener("abort", this.#note, { once: true });
  }

  async next(): Promise<void> {
    if (!this.#changed && !this.#signal.aborted) {
      const timer = setTimeout(this.#note, LOOK_AGAIN_MS);
      await new Promise<void>((resolve) => (this.#wake = resolve));
      clearTimeout(timer);
    }
    this.#changed = false;
  }

  close(): void {
    this.#watcher.close();
    this.#signal.removeEventListener("abort", this.#note);
  }

  readonly #note = (): void => {
    this.#changed = true;
    this.#wake();
  };
}
