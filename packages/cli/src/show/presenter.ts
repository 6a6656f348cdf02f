import type { ContextMeter, TurnEvent, TurnUsage } from "codexwright";
import type { Output } from "../shared/output.ts";
import type { Style } from "../shared/style.ts";
import { clean } from "../shared/text.ts";
import { HeldAnswer } from "./held-answer.ts";
import type { Look } from "./item-block.ts";
import type { Keys, Screen } from "./screen.ts";
import { statusLine } from "./status.ts";
import { Transcript } from "./transcript.ts";

/** Shows a turn while it runs: as JSON, as text, or on an interactive terminal. */
export interface Presenter {
  /** The terminal to ask on, if there is one. */
  readonly screen?: Screen;
  event(event: TurnEvent): void;
  /** Prints our own message between the blocks of the turn. */
  note(text: string): void;
  /** Releases the terminal. Text is printed normally afterwards. */
  close(): void;
}

/** The usage so far, while the turn runs. */
export interface Meter {
  usage(): TurnUsage | undefined;
  context(): ContextMeter | undefined;
}

/** The place to show a turn, and what the keys do there. */
export interface Stage {
  readonly output: Output;
  /** If true, only the result is printed. */
  readonly isBare: boolean;
  readonly folder: string;
  readonly meter: Meter;
  readonly keys: Keys;
  /** A hint about the keys, for the status line. */
  readonly hint: () => string;
  /** Selects items that are not shown, such as messages if their text is the output. */
  readonly hides?: (type: string) => boolean;
}

/** Whether a person can follow the progress, type, and answer questions. */
function isInteractive(output: Output): boolean {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb";
  return !output.isJson && !output.isQuiet && isTerminal;
}

export async function present(stage: Stage): Promise<Presenter> {
  const { output } = stage;
  if (output.isJson) {
    return {
      event: ({ method, params }) => output.json({ type: "event", method, params }),
      note: () => {},
      close: () => {},
    };
  }
  if (stage.isBare) return { event: () => {}, note: () => {}, close: () => {} };
  const look = await lookOf(output, stage.folder, output.progress.style);
  if (!isInteractive(output)) {
    const transcript = new Transcript(look, false);
    const held = new HeldAnswer();
    return {
      event: (event) => {
        if (isHidden(event, stage)) return;
        // On a terminal the answer is part of the transcript. Otherwise stdout holds only the answer.
        const events = output.isTerminal ? [event] : held.push(event);
        for (const each of events) output.progress.styled(transcript.push(each));
      },
      note: (text) => output.remark(text),
      close: () => {},
    };
  }
  return await onTerminal(stage, look);
}

async function onTerminal(stage: Stage, look: Look): Promise<Presenter> {
  const { Screen: Terminal } = await import("./screen.ts");
  const { output, meter, hint } = stage;
  const { style } = output;
  const transcript = new Transcript(look, true);
  const since = performance.now();
  const status = (): string =>
    statusLine(
      {
        elapsedMs: performance.now() - since,
        usage: meter.usage(),
        context: meter.context(),
        hint: hint(),
      },
      style,
    );
  const view = { live: () => transcript.live(), status, asked: () => transcript.apart() };
  const screen = new Terminal(view, stage.keys, style);
  return {
    screen,
    event: (event) => {
      if (isHidden(event, stage)) return;
      const text = transcript.push(event);
      if (text === "") screen.changed();
      else screen.print(text);
    },
    note: (text) => {
      screen.print(`\n${style.dim(clean(text))}\n`);
      transcript.apart();
    },
    close: () => screen.close(),
  };
}

function isHidden({ method, params }: TurnEvent, { hides }: Stage): boolean {
  if (!hides) return false;
  if (method === "item/agentMessage/delta") return hides("agentMessage");
  const { item } = params as { readonly item?: { readonly type: string } };
  return item !== undefined && hides(item.type);
}

/** Starts loading what `lookOf` needs, which takes about as long as the server's start. */
export function prepareLook({ isJson, isQuiet, progress }: Output): void {
  if (!isJson && !isQuiet && progress.style.level > 0) import("./markdown.ts").catch(() => {});
}

/**
 * Chooses how text is formatted for this output. Markdown is rendered only with colours. Without colours, its
 * source is printed, which is easier to read.
 */
export async function lookOf(output: Output, folder: string, style: Style = output.style): Promise<Look> {
  if (style.level === 0) return { style, folder, markdown: (text) => text };
  const { renderMarkdown } = await import("./markdown.ts");
  return { style, folder, markdown: (text) => renderMarkdown(text, Math.min(output.width, 100)) };
}
