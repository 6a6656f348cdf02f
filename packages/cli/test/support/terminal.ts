import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { COMMAND } from "./command.ts";

const run = promisify(execFile);

/** Shorter than the timeout of a test, so that the failure shows the terminal's content. */
const PATIENCE_MS = 50_000;

export interface TerminalOptions {
  readonly cwd: string;
  /** Merged with our environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
  readonly rows?: number;
  /**
   * Runs the command in a shell with job control: when the command is suspended once, the shell shows
   * `[asleep]`, and Enter resumes it.
   */
  readonly sleeps?: boolean;
  /**
   * A file for its stderr. The exit code is written to the same name with `.code` appended, even if the
   * terminal is gone.
   */
  readonly log?: string;
}

/** A command in a real tmux terminal. Disposing it ends both. */
export class Terminal implements AsyncDisposable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs the command with these arguments. When it ends, the terminal shows `[exit CODE]`. */
  static async open(args: readonly string[], options: TerminalOptions): Promise<Terminal> {
    return await Terminal.run([process.execPath, COMMAND, ...args], options);
  }

  /** Runs any program like `open`. */
  static async run(argv: readonly string[], options: TerminalOptions): Promise<Terminal> {
    const { cwd, env = {}, columns = 100, rows = 40, sleeps = false, log } = options;
    const folder = await mkdtemp(path.join(tmpdir(), "codexwright-tmux-"));
    const script = path.join(folder, "script.sh");
    const words = argv.map(quoted).join(" ");
    const clean = { NO_COLOR: undefined, FORCE_COLOR: undefined, ...env };
    const settings = Object.entries(clean).map(([name, value]) =>
      value === undefined ? `unset ${name}` : `export ${name}=${quoted(value)}`,
    );
    const logged = log === undefined ? [words] : ["trap : HUP", `${words} 2>${log}; echo $? >${log}.code`];
    const lines = sleeps ? ["set -m", words, "echo '[asleep]'; read -r _", "fg >/dev/null"] : logged;
    // The shell survives a Ctrl-C for the command. `cat` keeps the terminal open until it is disposed.
    const ending = ['echo "[exit $?]"', "exec cat"];
    await writeFile(script, ["trap : INT", ...settings, ...lines, ...ending].join("\n"));
    const terminal = new Terminal(folder);
    const size = ["-x", String(columns), "-y", String(rows)];
    await terminal.#tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, `sh ${quoted(script)}`);
    return terminal;
  }

  /** The content of the terminal, including what has scrolled away. */
  async text(): Promise<string> {
    return await this.#tmux("capture-pane", "-p", "-J", "-S", "-500");
  }

  /** The content with its colours. */
  async colouredText(): Promise<string> {
    return await this.#tmux("capture-pane", "-p", "-e", "-S", "-500");
  }

  /** Waits until the text appears; returns the whole content. */
  async shows(text: string | RegExp): Promise<string> {
    const since = performance.now();
    for (;;) {
      const shown = await this.text();
      if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return shown;
      if (performance.now() - since > PATIENCE_MS) throw new Error(`no ${text} in\n${shown.trimEnd()}`);
    }
  }

  /** Waits until the command ends. */
  async exitCode(): Promise<number> {
    const shown = await this.shows(/\[exit \d+\]/);
    return Number(/\[exit (\d+)\]/.exec(shown)?.[1]);
  }

  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", text);
  }

  /** Presses a key by tmux's name for it, such as `Enter` or `C-c`. */
  async key(name: string): Promise<void> {
    await this.#tmux("send-keys", name);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux("kill-server").catch(() => {});
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #tmux(...args: string[]): Promise<string> {
    const { stdout } = await run("tmux", ["-S", path.join(this.#folder, "socket"), ...args], {
      env: { ...process.env, TMUX: "", LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
    });
    return stdout;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
