/** Marks up text for a terminal; where colours are off every function gives its text back. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** Colours for a terminal, nothing for a pipe or where the user asked for none (https://no-color.org). */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Style {
  const coloured = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return {
    bold: marker(coloured, 1, 22),
    dim: marker(coloured, 2, 22),
    red: marker(coloured, 31, 39),
    green: marker(coloured, 32, 39),
    cyan: marker(coloured, 36, 39),
  };
}

function marker(coloured: boolean, on: number, off: number): (text: string) => string {
  return (text) => (coloured && text !== "" ? `\u001B[${on}m${text}\u001B[${off}m` : text);
}
