/** How many bytes of a command's output are kept: the first half and the last half. */
export const KEPT: number = 1024 * 1024;

const HALF: number = KEPT / 2;
const FIRST_SIZE = 8 * 1024;

/**
 * Keeps the beginning and the end of a command's output. It never takes more memory than {@link KEPT} bytes, and
 * adding a piece costs time in proportion to the piece.
 */
export class HeadTail {
  #head = new Uint8Array(0);
  #headSize = 0;
  /** The end of the output as a ring. */
  #tail = new Uint8Array(0);
  #tailSize = 0;
  #tailStart = 0;
  #total = 0;

  /** How many bytes were added. */
  get total(): number {
    return this.#total;
  }

  /** How many bytes in the middle were dropped. */
  get omitted(): number {
    return this.#total - this.#headSize - this.#tailSize;
  }

  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const room = Math.min(HALF - this.#headSize, bytes.length);
    if (room > 0) {
      this.#head = grown(this.#head, this.#headSize + room);
      this.#head.set(bytes.subarray(0, room), this.#headSize);
      this.#headSize += room;
    }
    if (room < bytes.length) this.#addTail(bytes.subarray(room));
  }

  /** Returns what was kept, and whether something between the two parts was dropped. Then forgets it. */
  take(): Kept {
    const kept = this.kept();
    this.#head = new Uint8Array(0);
    this.#tail = new Uint8Array(0);
    this.#headSize = this.#tailSize = this.#tailStart = this.#total = 0;
    return kept;
  }

  kept(): Kept {
    const first = this.#tail.subarray(this.#tailStart, this.#tailStart + this.#tailSize);
    const second = this.#tail.subarray(0, this.#tailSize - first.length);
    const tail = new Uint8Array(this.#tailSize);
    tail.set(first);
    tail.set(second, first.length);
    return { head: this.#head.slice(0, this.#headSize), tail, omitted: this.omitted, total: this.#total };
  }

  #addTail(bytes: Uint8Array): void {
    const last = bytes.length > HALF ? bytes.subarray(bytes.length - HALF) : bytes;
    if (this.#tail.length < HALF) {
      // Until it has its full size, the ring starts at 0 and is not wrapped.
      const size = Math.min(HALF, this.#tailSize + last.length);
      this.#tail = grown(this.#tail, size);
    }
    for (let at = 0; at < last.length;) {
      const to = (this.#tailStart + this.#tailSize) % this.#tail.length;
      const free = this.#tail.length - this.#tailSize;
      if (free === 0) {
        // The ring is full: the oldest bytes make room.
        const drop = Math.min(last.length - at, this.#tail.length);
        this.#tailStart = (this.#tailStart + drop) % this.#tail.length;
        this.#tailSize -= drop;
        continue;
      }
      const piece = last.subarray(at, at + Math.min(free, this.#tail.length - to));
      this.#tail.set(piece, to);
      this.#tailSize += piece.length;
      at += piece.length;
    }
  }
}

/** The output of a command, without its middle if it was long. */
export interface Kept {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly omitted: number;
  readonly total: number;
}

/** Returns kept output as text. Bytes that are not UTF-8 become replacement characters. */
export function textOfKept({ head, tail, omitted }: Kept): string {
  if (omitted === 0) {
    const all = new Uint8Array(head.length + tail.length);
    all.set(head);
    all.set(tail, head.length);
    return decoder().decode(all);
  }
  // A character at the cut is dropped on both sides.
  let start = 0;
  while (start < 3 && start < tail.length && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
  const first = decoder().decode(head, { stream: true });
  return `${first}\n... ${omitted} bytes omitted ...\n${decoder().decode(tail.subarray(start))}`;
}

function decoder(): InstanceType<typeof TextDecoder> {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

function grown(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (bytes.length >= size) return bytes;
  const larger = new Uint8Array(Math.min(HALF, Math.max(size, bytes.length * 2, FIRST_SIZE)));
  larger.set(bytes);
  return larger;
}
