import type { Accepted, FleetClient, IssueOrder, Json } from "@codexwright/orchestrator/cli";
import { usageError } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import { STDIN } from "../shared/stdin.ts";
import { connectFleet, type RunningOptions } from "./connect.ts";

interface ReasonOptions extends RunningOptions {
  readonly reason?: string;
}

interface DrainOptions extends RunningOptions {
  readonly now?: boolean;
}

export interface AnswerOptions extends RunningOptions {
  readonly protocol?: string;
}

export async function pause(call: Invocation<ReasonOptions>): Promise<void> {
  await give(call, async (fleet) => await fleet.pause(call.options.reason), "Paused. Agents that run go on.");
}

export async function resume(call: Invocation<RunningOptions>): Promise<void> {
  await give(call, async (fleet) => await fleet.resume(), "Resumed.");
}

export async function drain(call: Invocation<DrainOptions>): Promise<void> {
  const { now = false } = call.options;
  const done = now
    ? "Interrupting the turns; the fleet then ends."
    : "The fleet ends when its turns have ended.";
  await give(call, async (fleet) => await fleet.drain({ now }), done);
}

export async function stop(call: Invocation<ReasonOptions>): Promise<void> {
  await order(call, { kind: "stop", reason: call.options.reason }, "stopped until `codexwright fleet retry`");
}

export async function retry(call: Invocation<RunningOptions>): Promise<void> {
  await order(call, { kind: "retry" }, "will be tried again");
}

export async function clean(call: Invocation<RunningOptions>): Promise<void> {
  await order(call, { kind: "clean" }, "released; its workspace will be removed");
}

export async function answer(call: Invocation<AnswerOptions>): Promise<void> {
  const answered = await answerOf(call);
  await order(call, answered, "answered; its next run begins with the answer");
}

async function answerOf({ args, options }: Invocation<AnswerOptions>): Promise<IssueOrder> {
  const words = args.slice(1);
  const { protocol } = options;
  if ((protocol === undefined) === (words.length === 0)) {
    throw usageError("the answer is missing: give either a text or --protocol <json>");
  }
  if (protocol !== undefined) return { kind: "answer", json: parse(protocol) };
  const text = words.length === 1 && words[0] === "-" ? await STDIN.read() : words.join(" ");
  if (text.trim() === "") throw usageError("the answer is empty");
  return { kind: "answer", text };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw usageError("--protocol is not valid JSON");
  }
}

async function order(call: Invocation<RunningOptions>, given: IssueOrder, done: string): Promise<void> {
  const [issue = ""] = call.args;
  await give(call, async (fleet) => await fleet.order(issue, given), done);
}

async function give(
  { options, cwd, output }: Invocation<RunningOptions>,
  act: (fleet: FleetClient) => Promise<Accepted>,
  done: string,
): Promise<void> {
  const accepted = await act(await connectFleet(options, cwd));
  output.json({ type: "order", ...accepted });
  const { identifier } = accepted;
  output.remark(identifier === undefined ? done : `${identifier}: ${done}.`);
}
