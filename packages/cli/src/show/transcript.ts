import type { TurnEvent } from "codexwright";
import type { ThreadItem, TurnPlanStep } from "codexwright/protocol";
import { clean, linesOf } from "../shared/text.ts";
import { GrowingBlocks } from "./blocks.ts";
import { itemBlock, type Look } from "./item-block.ts";
import { checklist, commandLine, commandOutcome, foldedOutput, indented } from "./item-text.ts";

/** How many lines of work in progress a terminal shows, and how many characters are searched for them. */
const LIVE_LINES = 5;
const LIVE_CHARACTERS = 4_000;

interface Running {
  readonly command: string;
  /** The last part of the command's output. */
  output: string;
  /** The number of output lines before that part. */
  gone: number;
}

/**
 * Turns the events of a turn into text: finished parts, which are printed once, and work in progress, which
 * is shown below them while it lasts. Pure: the same events produce the same text.
 */
export class Transcript {
  readonly #look: Look;
  /** Whether work in progress is visible. If not, a plan is printed whenever it changes. */
  readonly #isLive: boolean;
  /** Text of messages and reasoning summaries that has not been printed. */
  readonly #growing = new Map<string, { readonly type: string; readonly blocks: GrowingBlocks }>();
  readonly #running = new Map<string, Running>();
  /** Items whose text was printed as it arrived. */
  readonly #printed = new Set<string>();
  #plan: readonly TurnPlanStep[] = [];
  #isFirst = true;
  #isEmpty = true;
  #last: string | undefined;

  constructor(look: Look, isLive: boolean) {
    this.#look = look;
    this.#isLive = isLive;
  }

  /** Returns the permanent text that an event adds, which is "" for most events. */
  push(event: TurnEvent): string {
    switch (event.method) {
      case "item/agentMessage/delta":
        return this.#grow("agentMessage", event.params.itemId, event.params.delta);
      case "item/reasoning/summaryTextDelta":
        return this.#grow("reasoning", event.params.itemId, event.params.delta);
      case "item/commandExecution/outputDelta": {
        const running = this.#running.get(event.params.itemId);
        if (running) this.#write(running, event.params.delta);
        return "";
      }
      case "item/started":
        return this.#started(event.params.item);
      case "item/completed":
        return this.#completed(event.params.item);
      case "turn/plan/updated":
        this.#plan = event.params.plan;
        return this.#isLive ? "" : this.#block("plan", indented(checklist(this.#plan, this.#look.style)));
      case "error":
        return event.params.willRetry
          ? this.#block("retry", `${this.#look.style.dim(clean(event.params.error.message))}\n`)
          : "";
      case "turn/completed":
        return this.#end();
      default:
        return "";
    }
  }

  /** Returns the lines about work in progress. The plan comes last. */
  live(): string[] {
    const { style } = this.#look;
    const lines: string[] = [];
    for (const { type, blocks } of this.#growing.values()) {
      const tail = linesOf(clean(blocks.rest.slice(-LIVE_CHARACTERS))).slice(-LIVE_LINES);
      lines.push(...(type === "reasoning" ? tail.map((line) => style.dim(line)) : tail));
    }
    for (const { command, output, gone } of this.#running.values()) {
      const script = linesOf(commandLine(command, style));
      lines.push(...script.slice(0, LIVE_LINES));
      if (script.length > LIVE_LINES) lines.push(style.dim(`  … ${script.length - LIVE_LINES} more lines`));
      lines.push(...linesOf(indented(foldedOutput(output, style, LIVE_LINES, gone))));
    }
    if (this.#plan.length > 0) lines.push("", ...checklist(this.#plan, style));
    return lines;
  }

  /** Call this after printing other text, so that a blank line separates it from the next block. */
  apart(): void {
    this.#isEmpty = false;
    this.#last = undefined;
  }

  #write(running: Running, delta: string): void {
    const text = running.output + delta;
    const cut = Math.max(0, text.length - LIVE_CHARACTERS);
    for (let at = text.indexOf("\n"); at !== -1 && at < cut; at = text.indexOf("\n", at + 1)) running.gone++;
    running.output = text.slice(cut);
  }

  #grow(type: string, id: string, delta: string): string {
    const { blocks } = this.#growing.get(id) ?? { blocks: new GrowingBlocks() };
    this.#growing.set(id, { type, blocks });
    const whole = blocks.push(delta);
    if (type !== "agentMessage" || whole.trim() === "") return "";
    this.#printed.add(id);
    return this.#block(id, `${this.#look.markdown(clean(whole.trimEnd()))}\n`);
  }

  #started(item: ThreadItem): string {
    if (item.type !== "commandExecution") return "";
    this.#running.set(item.id, { command: item.command, output: "", gone: 0 });
    // A log names each command when it starts; a terminal shows it below the permanent text.
    return this.#isLive ? "" : this.#block(item.id, commandLine(item.command, this.#look.style));
  }

  #completed(item: ThreadItem): string {
    this.#running.delete(item.id);
    const growing = this.#growing.get(item.id);
    this.#growing.delete(item.id);
    if (item.type === "userMessage") {
      // The first user message is the task, which the user knows.
      const isTask = this.#isFirst;
      this.#isFirst = false;
      if (isTask) return "";
    }
    if (growing && this.#printed.has(item.id)) return this.#rest(item.id, growing.blocks.rest);
    // Commands can run in parallel: an output that is not directly below its command repeats the command.
    if (item.type === "commandExecution" && this.#last === item.id) {
      return commandOutcome(item, this.#look.style);
    }
    return this.#block(item.id, itemBlock(item, this.#look));
  }

  #rest(id: string, text: string): string {
    return text.trim() === "" ? "" : this.#block(id, `${this.#look.markdown(clean(text.trimEnd()))}\n`);
  }

  /** Prints the unfinished messages and commands of a turn that was cut off. */
  #end(): string {
    let text = "";
    for (const [id, growing] of this.#growing)
      if (growing.type === "agentMessage") text += this.#rest(id, growing.blocks.rest);
    this.#growing.clear();
    for (const [id, { command, output, gone }] of this.#running) {
      const { style } = this.#look;
      const lines = indented(foldedOutput(output, style, undefined, gone));
      text += this.#last === id ? lines : this.#block(id, commandLine(command, style) + lines);
    }
    this.#running.clear();
    if (this.#isLive && this.#plan.length > 0) {
      text += this.#block("plan", indented(checklist(this.#plan, this.#look.style)));
    }
    this.#plan = [];
    return text;
  }

  /** Separates blocks with a blank line. */
  #block(id: string, text: string): string {
    if (text === "") return "";
    const gap = this.#isEmpty || (this.#last === id && id === "retry") ? "" : "\n";
    this.#isEmpty = false;
    this.#last = id;
    return gap + text;
  }
}
