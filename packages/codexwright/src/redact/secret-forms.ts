import { hexOf, textOf } from "./bytes.ts";

/** Shorter encodings are too likely to be met by chance. */
const SHORTEST_ENCODED = 8;
/** These are found by decoding what they stand in. */
const READABLE = /^[\t\n\r -~]*$/;

/**
 * How a secret is looked for. Escapes, percent signs, hex and base64 are decoded before the search, as far as they hold
 * readable ASCII; a secret of other characters is looked for in its encodings.
 */
export function formsOf(secret: string): string[] {
  const url = percentEncoded(secret);
  if (READABLE.test(secret)) return [...new Set([secret, url.replaceAll("%20", "+")])];
  const bytes = new TextEncoder().encode(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
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

function percentEncoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // A lone surrogate has no bytes of its own.
    return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(secret)));
  }
}
