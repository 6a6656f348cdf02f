import { createHash } from "node:crypto";

/** The longest name of a file that file systems allow, in bytes. A key has one byte per character. */
const LONGEST = 255;
const SUFFIX = /--[0-9a-f]{16}$/;
/** Names that Windows reserves for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Returns the name of an issue's folder.
 *
 * Characters other than letters, digits, `.`, `_` and `-` become `_`. If that changed the identifier, the key ends in a
 * hash of the identifier, so that identifiers that look alike have different keys. The same is done with identifiers
 * that are empty, too long, begin with a dot, end in a dot, have the name of a device, or look as if they had the hash
 * of another identifier.
 */
export function workspaceKey(identifier: string): string {
  const plain = identifier.replaceAll(/[^A-Za-z0-9._-]/gu, "_");
  const isPlain = plain === identifier && /^[^.].*(?<!\.)$/.test(plain);
  if (isPlain && plain.length <= LONGEST && !DEVICE.test(plain) && !SUFFIX.test(plain)) return plain;
  const suffix = `--${hash(identifier)}`;
  const readable = plain.replace(/^\./, "_").replace(DEVICE, "_$&");
  return `${readable.slice(0, LONGEST - suffix.length)}${suffix}`;
}

function hash(identifier: string): string {
  // UTF-8 cannot distinguish unpaired surrogates; JSON writes them as escapes.
  const text = /\p{Surrogate}/u.test(identifier) ? JSON.stringify(identifier) : identifier;
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
