// Parsers of HTTP headers from clients. Each function accepts any text.

/** The bearer token of `Authorization`, or the reason why it is missing or invalid. */
export type Bearer = { readonly token: string } | { readonly refusal: string };

/** Parses `Authorization: Bearer TOKEN` as the real server does. */
export function parseBearer(header: string | undefined): Bearer {
  if (header === undefined) return { refusal: "missing websocket bearer token" };
  const invalid = { refusal: "invalid authorization header" };
  if (!/^[\t\x20-\x7e]*$/.test(header)) return invalid;
  const space = header.indexOf(" ");
  if (space === -1 || header.slice(0, space).toLowerCase() !== "bearer") return invalid;
  const token = header.slice(space).trim();
  return token === "" ? invalid : { token };
}

/** The values of a list header, in order. */
export function parseList(header: string | undefined): string[] {
  return (header ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Whether a list header contains this word, ignoring case. */
export function hasWord(header: string | undefined, word: string): boolean {
  return parseList(header).some((each) => each.toLowerCase() === word);
}
