import { InvalidArgumentError } from "codexwright/rpc";

/** Returns the caller's headers with names in lower case. Errors do not contain values, because these can be secrets. */
export function headersOf(call: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new InvalidArgumentError(`${call}: headers: ${JSON.stringify(name)} is not the name of a header`);
    }
    checkHeaderText(call, `headers[${JSON.stringify(name)}]`, value);
    all[name.toLowerCase()] = value;
  }
  return all;
}

/** `fetch` would quote an invalid value in its error. */
export function checkHeaderText(call: string, name: string, value: string): void {
  if (/^[\t\x20-\x7E]*$/.test(value)) return;
  throw new InvalidArgumentError(`${call}: ${name} must contain only printable ASCII characters`);
}

/** All values of a request that errors must not contain. */
export function secretsIn(
  key: string | undefined,
  headers: Readonly<Record<string, string>>,
  url: URL,
): string[] {
  const query = [...url.searchParams].filter(([name]) => name !== "api-version");
  const values = [key ?? "", ...Object.values(headers), ...query.map(([, value]) => value)];
  return values.flatMap((value) => [value, value.replace(/^\w+ +/, "")]).filter(({ length }) => length >= 8);
}
