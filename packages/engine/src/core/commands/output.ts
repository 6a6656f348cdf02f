/** Decodes the output of a command as UTF-8. A character that is split between two pieces is not broken. */
export function decoding(): (bytes: Uint8Array, stream: "stdout" | "stderr") => string {
  const stdout = new TextDecoder("utf-8", { ignoreBOM: true });
  const stderr = new TextDecoder("utf-8", { ignoreBOM: true });
  return (bytes, stream) => (stream === "stdout" ? stdout : stderr).decode(bytes, { stream: true });
}
