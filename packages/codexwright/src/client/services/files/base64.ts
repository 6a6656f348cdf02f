/**
 * Built-in base64 of newer runtimes (Node 25, Bun, browsers of 2025), which the TypeScript library does not declare
 * yet.
 */
interface NativeBase64 {
  toBase64?(): string;
}
interface NativeDecoder {
  fromBase64?(text: string): Uint8Array;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES: Uint8Array = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const VALUES: Uint8Array = new Uint8Array(128);
for (const [value, code] of CODES.entries()) VALUES[code] = value;
const PAD = 61;

/**
 * Encodes bytes as base64 with padding. `btoa` would need the bytes as a string first, which is slow for megabytes.
 */
export function toBase64(bytes: Uint8Array): string {
  return (bytes as NativeBase64).toBase64?.() ?? encodeByTable(bytes);
}

/**
 * Decodes base64 as the server writes it: padded, without line breaks. The table decoder returns some bytes for other
 * input; the built-in one throws.
 */
export function fromBase64(text: string): Uint8Array {
  return (Uint8Array as NativeDecoder).fromBase64?.(text) ?? decodeByTable(text);
}

export function encodeByTable(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let from = 0; from < bytes.length; from += 3) {
    const left = bytes.length - from;
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    out[at++] = CODES[group >> 18] ?? 0;
    out[at++] = CODES[(group >> 12) & 63] ?? 0;
    out[at++] = left > 1 ? (CODES[(group >> 6) & 63] ?? 0) : PAD;
    out[at++] = left > 2 ? (CODES[group & 63] ?? 0) : PAD;
  }
  return new TextDecoder().decode(out);
}

export function decodeByTable(text: string): Uint8Array {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const length = Math.floor(((text.length - padding) * 3) / 4);
  const out = new Uint8Array(length);
  let at = 0;
  for (let from = 0; from < text.length; from += 4) {
    const group =
      (valueAt(text, from) << 18) |
      (valueAt(text, from + 1) << 12) |
      (valueAt(text, from + 2) << 6) |
      valueAt(text, from + 3);
    // Writing past the end of a typed array does nothing, which discards the padding.
    out[at++] = group >> 16;
    out[at++] = group >> 8;
    out[at++] = group;
  }
  return out;
}

function valueAt(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? 0;
}
