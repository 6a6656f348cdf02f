import { hexOf, textOf } from "./bytes.ts";

/** Shorter encodings are too likely to be met by chance. */
const SHORTEST_ENCODED = 8;

/** A secret as it may be written inside other text: escaped for JSON or a URL, in hex, in base64 at any offset. */
export function formsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const url = percentEncoded(bytes, secret);
  const encoded = [
    ...base64Forms(bytes),
    hexOf(bytes),
    hexOf(bytes).toUpperCase(),
    // The bytes, where text is read byte by byte.
    textOf(bytes),
  ].filter((form) => form.length >= SHORTEST_ENCODED);
  const forms = [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    url,
    url.replaceAll("%20", "+"),
    ...encoded,
  ];
  return [...new Set(forms)];
}

/** What is sure to be in the base64 of any text that has these bytes in it: three offsets, two alphabets. */
function base64Forms(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = btoa("\0".repeat(offset) + textOf(bytes)).replace(/=+$/, "");
    // The characters at both ends hold bits of their neighbours too.
    const start = offset === 0 ? 0 : offset + 1;
    const whole = (offset + bytes.length) % 3 === 0;
    const core = text.slice(start, whole ? undefined : -1);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function percentEncoded(bytes: Uint8Array, secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // A lone surrogate has no bytes of its own.
    return encodeURIComponent(new TextDecoder().decode(bytes));
  }
}
