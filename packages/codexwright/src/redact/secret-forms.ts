import { hexOf, textOf } from "./bytes.ts";

/** Shorter encodings are too likely to occur by chance. */
const SHORTEST_ENCODED = 8;
/** Secrets that consist only of these characters are found by decoding the text around them. */
const READABLE = /^[\t\n\r -~]*$/;

/**
 * Returns the forms in which a secret is searched for. Before the search, escapes, percent-encoding, hex and base64 are
 * decoded if they contain readable ASCII. A secret with other characters must be searched for in its encoded forms.
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
    // The bytes, for texts that are decoded byte by byte.
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

/**
 * Returns base64 texts to search for: one for each of three offsets, in two alphabets. If a text contains these bytes,
 * its base64 contains at least one of the returned texts.
 */
function base64Forms(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = btoa("\0".repeat(offset) + textOf(bytes)).replace(/=+$/, "");
    // The first and last characters also hold bits of the neighbouring bytes, so they are left out.
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
    // A lone surrogate has no UTF-8 encoding.
    return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(secret)));
  }
}
