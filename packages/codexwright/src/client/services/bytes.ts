import { InvalidArgumentError } from "../../rpc/errors.ts";

/** What a caller gives to be written is text or bytes. Of anything else nothing would be written, without a word. */
export function checkData(name: string, data: string | Uint8Array): void {
  // By its tag: the class of another realm, such as a test runner's, is not ours.
  const bytes = (data as Uint8Array | null | undefined)?.[Symbol.toStringTag] === "Uint8Array";
  if (bytes || typeof data === "string") return;
  throw new InvalidArgumentError(`${name} is ${typeof data}: give text or a Uint8Array`);
}

/** The bytes of it, text as UTF-8. */
export function toBytes(name: string, data: string | Uint8Array): Uint8Array {
  checkData(name, data);
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}
