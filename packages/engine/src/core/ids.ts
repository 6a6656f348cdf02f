let last = 0;

/** Returns a version 7 UUID, as the real server does. The ids sort by creation time, even within a millisecond. */
export function uuid7(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  last = Math.max(Date.now(), last + 1);
  for (let at = 0, rest = last; at < 6; at++) {
    bytes[5 - at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the real server's message for text that is not a UUID, or `undefined` if it is one. */
export function idProblem(text: string): string | undefined {
  if (UUID.test(text)) return undefined;
  const characters = Array.from(text);
  const at = characters.findIndex((character) => !/[0-9a-f-]/i.test(character));
  if (at === -1) return `invalid length: expected length 32 for simple format, found ${text.length}`;
  const found = characters[at];
  return `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${found}\` at ${at + 1}`;
}

export function unixSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** Returns a random integer that is at least `from` and less than `below`. */
export function randomInteger(from: number, below: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return from + (random % (below - from));
}
