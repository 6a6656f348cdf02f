import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { LineClient } from "@codexwright/test-support/line-client";
import { stdio } from "codexwright/stdio";
import { isJsonObject } from "codexwright/internal";
import { PIXEL } from "../inputs.ts";
import type { Program } from "../servers.ts";
import { filled, type CallStep, type Json, type Step, type ToldStep, type TurnStep } from "./steps.ts";

/** A turn as the client reports it to an example. */
export interface TurnTold {
  readonly status: unknown;
  /** The types of the completed items. */
  readonly items: readonly unknown[];
  readonly deltas: string;
  readonly text: unknown;
  /** Whether the turn reported its start and its usage before it ended. */
  readonly started: boolean;
  readonly usage: boolean;
}

/** Starts the server as the client does, plays the steps, and returns a report of each turn. */
export async function play({ codexPath, cwd }: Program, steps: readonly Step[]): Promise<TurnTold[]> {
  const image = path.join(cwd, "..", "generated_sample.png");
  await writeFile(image, Buffer.from(PIXEL, "base64"));
  const open = stdio({ command: [codexPath, "app-server", "--listen", "stdio://"], cwd });
  const client = new LineClient(await open(new AbortController().signal));
  const given = { path: image, url: `data:image/png;base64,${PIXEL}`, cwd };
  const player = new Player(client, new Map(Object.entries(given)));
  try {
    await player.hello();
    const told: TurnTold[] = [];
    for (const step of steps) {
      if ("open" in step) step.open.open();
      else if ("call" in step) await player.call(step);
      else if ("told" in step) await player.told(step);
      else told.push(await player.turn(step));
    }
    return told;
  } finally {
    await client.hangUp();
  }
}

class Player {
  readonly #client: LineClient;
  readonly #kept: Map<string, string>;

  constructor(client: LineClient, kept: Map<string, string>) {
    this.#client = client;
    this.#kept = kept;
  }

  async hello(): Promise<void> {
    const clientInfo = { name: "codex_python_sdk", title: "Codex Python SDK", version: "0.0.0.dev0" };
    const capabilities = { experimentalApi: true };
    const { result } = await this.#client.ask("initialize", { clientInfo, capabilities });
    // The client fails if the server has no name and version.
    expect(result).toMatchObject({ userAgent: expect.stringMatching(/^[^/]+\/.+/) });
    this.#client.write({ method: "initialized" });
  }

  async call({ call, params, keep = {}, answer = {}, refused, choose }: CallStep): Promise<void> {
    const { result, error } = await this.#client.ask(call, this.#filled(params));
    if (refused !== undefined) return expect(error).toMatchObject({ data: { code: refused } });
    if (!isJsonObject(result)) throw new Error(`${call} failed: ${JSON.stringify(error ?? result)}`);
    for (const [name, at] of Object.entries(keep)) this.#kept.set(name, String(valueAt(result, at)));
    for (const [name, value] of Object.entries(choose?.(result) ?? {})) this.#kept.set(name, value);
    expect(result).toMatchObject(this.#filled(answer) as object);
  }

  async told({ told, count = 1, params }: ToldStep): Promise<void> {
    const notification = await this.#client.told(told, count);
    expect(notification.params).toMatchObject(this.#filled(params) as object);
  }

  async turn({ turn, status, text }: TurnStep): Promise<TurnTold> {
    const id = this.#kept.get(turn);
    const about = (): readonly [method: string, params: Json][] =>
      this.#client.messages.flatMap(({ method, params }) =>
        method !== undefined &&
        isJsonObject(params) &&
        (params["turnId"] ?? valueAt(params, "turn.id")) === id
          ? [[method, params] as const]
          : [],
      );
    await this.#client.until(() => about().some(([method]) => method === "turn/completed"));
    const of = (wanted: string): Json[] =>
      about().flatMap(([method, params]) => (method === wanted ? [params] : []));
    const items = of("item/completed").map((params) => params["item"] as Json);
    const told: TurnTold = {
      status: valueAt(of("turn/completed")[0], "turn.status"),
      items: items.map(({ type }) => type),
      deltas: of("item/agentMessage/delta")
        .map(({ delta }) => String(delta))
        .join(""),
      text: items.findLast(({ type }) => type === "agentMessage")?.["text"],
      started: of("turn/started").length === 1,
      usage: of("thread/tokenUsage/updated").length > 0,
    };
    expect(told).toMatchObject({ status, ...(text !== undefined && { text, usage: true, started: true }) });
    return told;
  }

  #filled(value: unknown): unknown {
    return filled(value, (name) => this.#kept.get(name));
  }
}

function valueAt(value: unknown, at: string): unknown {
  return at.split(".").reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}
