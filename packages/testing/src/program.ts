/** A shell script that runs a module of ours with the runtime that we run on. */
export function programIn(module: string, ...args: readonly string[]): string {
  const command = [process.execPath, module, ...args].map(quote).join(" ");
  return `#!/bin/sh\nexec ${command}\n`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
