/** The options that clients of `codex app-server` pass when they start it. */
export interface QuickLine {
  readonly listen: "stdio://";
  readonly config: readonly string[];
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/**
 * Parses `app-server` over stdio with the options that clients pass: loading the parser of all commands would take
 * longer than loading the engine. Returns `undefined` for any other command line, including wrong ones, which the parser
 * reports. As with `codex`, the settings may also come before the command.
 */
export function quickLine(argv: readonly string[]): QuickLine | undefined {
  const values: Record<string, string[]> = { "--config": [], "--enable": [], "--disable": [] };
  let isCommand = false;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!isCommand && word === "app-server") isCommand = true;
    else if (isCommand && (word === "--analytics-default-enabled" || word === "--stdio")) continue;
    else if (isCommand && word === "--listen=stdio://") continue;
    else if (isCommand && word === "--listen" && argv[at + 1] === "stdio://") at++;
    else {
      const [, name = word, value = argv[++at]] = /^(--\w+)=(.*)$/s.exec(word) ?? [];
      const list = values[name === "-c" ? "--config" : name];
      if (!list || value === undefined || value.trim() === "") return undefined;
      list.push(value);
    }
  }
  if (!isCommand) return undefined;
  const { "--config": config = [], "--enable": enable = [], "--disable": disable = [] } = values;
  return { listen: "stdio://", config, enable, disable };
}

/** Serves one client over stdio, and returns the exit code. */
export async function runQuickly(line: QuickLine): Promise<number> {
  try {
    const [{ serveEngine }, { overridesOf }] = await Promise.all([
      import("./serve-engine.ts"),
      import("./overrides.ts"),
    ]);
    const { forced } = await serveEngine({
      url: line.listen,
      cwd: process.cwd(),
      overrides: overridesOf(line),
      onEvent: () => {},
      onFailure: (error) => void report(error),
    });
    return forced ? 130 : 0;
  } catch (error) {
    const { tellError } = await import("../shared/output.ts");
    return tellError(error, false);
  }
}

async function report(error: unknown): Promise<void> {
  const { write } = await import("../shared/terminal.ts");
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  write("stderr", `unexpected error of the engine: ${text}\n`);
}
