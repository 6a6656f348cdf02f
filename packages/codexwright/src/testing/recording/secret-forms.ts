/** Shorter encodings are too likely to be met by chance. */
const SHORTEST_ENCODED = 8;

/** A secret as it may be written inside other text: escaped for JSON or a URL, in hex, in base64 at any offset. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const escaped = JSON.stringify(secret).slice(1, -1);
  const url = percentEncoded(bytes, secret);
  const encoded = [
    ...base64Forms(bytes),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    // The bytes, where text is read byte by byte.
    bytes.toString("latin1"),
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
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The characters at both ends hold bits of their neighbours too.
    const start = offset === 0 ? 0 : offset + 1;
    const whole = (offset + bytes.length) % 3 === 0;
    const core = text.slice(start, whole ? undefined : -1);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function percentEncoded(bytes: Buffer, secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // A lone surrogate has no bytes of its own.
    return encodeURIComponent(bytes.toString("utf8"));
  }
}
