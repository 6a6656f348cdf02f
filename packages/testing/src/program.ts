/** Returns a shell script that runs one of our modules with the current runtime. */
export function programIn(module: string, ...args: readonly string[]): string {
  const command = [process.execPath, module, ...args].map(quote).join(" ");
  return `#!/bin/sh\nexec ${command}\n`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
