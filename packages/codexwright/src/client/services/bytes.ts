import { InvalidArgumentError } from "../../rpc/errors.ts";

/** Throws unless the data is text or bytes. For any other value, nothing would be written and no error reported. */
export function checkData(name: string, data: string | Uint8Array): void {
  // Checks the tag because the class may come from another realm, such as a test runner's.
  const bytes = (data as Uint8Array | null | undefined)?.[Symbol.toStringTag] === "Uint8Array";
  if (bytes || typeof data === "string") return;
  throw new InvalidArgumentError(`${name} must be a string or a Uint8Array (got ${typeof data})`);
}

/** Returns the bytes of the data, with text encoded as UTF-8. */
export function toBytes(name: string, data: string | Uint8Array): Uint8Array {
  checkData(name, data);
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}
