import { connect } from "node:net";
import { expect } from "vitest";
import type { ScriptedModel } from "@codexwright/testing";

/** An object on the wire. */
export type Wire = Record<string, unknown>;
/** A server-sent event of the Responses API. */
export interface Event extends Wire {
  type: string;
  item?: Wire;
  response?: Wire;
}

/** Calls the model like Codex. */
export function ask(model: ScriptedModel, body: Wire = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(`${model.baseUrl}/responses`, {
    method: "POST",
    body: JSON.stringify({ model: "m", input: [], tools: [], ...body }),
    ...init,
  });
}

/** Parses the events of a complete or partial body. */
export function parse(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [name, data] = block.split("\n");
      const event = JSON.parse((data ?? "").slice("data: ".length)) as Event;
      expect(name).toBe(`event: ${event.type}`);
      return event;
    });
}

/** The events of one answer. */
export async function events(model: ScriptedModel, body: Wire = {}): Promise<Event[]> {
  return parse(await (await ask(model, body)).text());
}

/** The finished items of one answer. */
export async function items(model: ScriptedModel, body: Wire = {}): Promise<Wire[]> {
  return (await events(model, body))
    .filter((event) => event.type === "response.output_item.done")
    .map((event) => event.item ?? {});
}

/** All bytes of one answer, complete or not: a fetch would discard what arrived before the connection broke. */
export async function raw(model: ScriptedModel): Promise<string> {
  const { hostname, port, pathname } = new URL(model.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${pathname}/responses HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 2\r\n\r\n{}`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Resolves with the error that a promise rejects with. Call this before the event that settles the promise. */
export function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error("it resolved"),
    (error: Error) => error,
  );
}

/** The `code` of the error that an action throws. */
export function codeOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return "it did not throw";
}
