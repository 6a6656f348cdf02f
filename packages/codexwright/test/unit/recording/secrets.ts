/** All forms in which a recording might still contain a secret. */
export function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  // The base64 of any text that contains the secret has one of these in the middle.
  const cores = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(3)]).toString("base64");
    return text.slice(4, Math.floor((offset + bytes.length) / 3) * 4);
  });
  return [
    secret,
    escaped,
    encodeURIComponent(secret),
    bytes.toString("hex"),
    ...cores
      .filter((core) => core.length >= 8)
      .flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")]),
  ];
}

/** Returns the secrets that a text still contains, in any encoding. */
export function leaks(text: string, secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => encodingsOf(secret).filter((form) => text.includes(form)));
}

export function jwt(claims: object): string {
  const parts = [{ alg: "none", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return [...parts, "c2lnbmF0dXJl"].join(".");
}
