import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { ApiEvent } from "@codexwright/orchestrator/cli";
import { ROOT } from "../../scripts/steps.ts";

const COMMAND = path.join(ROOT, "packages/cli/dist/codexwright.js");

export interface FleetProcessOptions {
  readonly folder: string;
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onEvent: (event: ApiEvent) => void;
}

/** A process that runs `codexwright fleet up`. It has the orchestrator, the database and the worker. */
export class FleetProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #errors = "";
  /** The address of its page, when it serves. Rejects if it ends before. */
  readonly url: Promise<string>;

  constructor({ folder, data, env, onEvent }: FleetProcessOptions) {
    this.#child = spawn(process.execPath, [COMMAND, "fleet", "up", "--json", "--data", data], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // Ctrl-C is for the demo, which ends this process itself.
      detached: true,
    });
    this.#exit = once(this.#child, "exit");
    this.#child.stderr
      ?.setEncoding("utf8")
      .on("data", (text: string) => (this.#errors = `${this.#errors}${text}`.slice(-2_000)));
    this.url = new Promise((resolve, reject) => {
      createInterface(this.#child.stdout!).on("line", (line) => {
        const told = JSON.parse(line) as { type: string; url?: string } & ApiEvent;
        if (told.type === "fleet" && told.url) resolve(told.url);
        if (told.type === "fleetEvent") onEvent(told);
      });
      void this.#exit.then(() => reject(new Error(`The fleet has ended:\n${this.#errors}`)));
    });
    this.url.catch(() => {});
  }

  /** As a crash: nothing of the process runs any more. */
  async crash(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exit;
  }

  /** Lets turns end. Twice: interrupts them. */
  async end({ now }: { readonly now: boolean }): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGINT");
    if (now) this.#child.kill("SIGTERM");
    await this.#exit;
  }
}
