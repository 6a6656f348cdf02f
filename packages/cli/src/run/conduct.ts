import { AbortedError, type CodexClient, type ReviewFinding, type Thread, type TurnEvent } from "codexwright";
import { connect, requireLogin, type Connection } from "../shared/connect.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { Output } from "../shared/output.ts";
import { isReplayed } from "../shared/tap.ts";
import { answer, decide, elicited, permit, type Desk } from "./ask/decide.ts";
import type { TurnCommandOptions } from "./options.ts";
import { prepareLook, present, type Presenter } from "../show/presenter.ts";
import { listenForStop, type Stop } from "./stop.ts";
import { tell } from "./tell.ts";
import { watch, type Watched } from "./watch.ts";

/** The parts that differ between the commands that run a turn. */
export interface Plan {
  readonly name: "run" | "review";
  /** The task, in one line. */
  heading(connection: Connection): string;
  /** Opens the thread. */
  open(codex: CodexClient, connection: Connection): Promise<Thread>;
  /** Starts the turn and waits until it ends. */
  perform(work: Work): Promise<Outcome>;
  /** Whether text that the user types during the turn steers it. */
  readonly isSteerable: boolean;
  /** Whether the result is data, which is printed as JSON. */
  readonly isData?: boolean;
  /** Selects items that are not shown. */
  readonly hides?: (type: string) => boolean;
  /** Whether the thread can be resumed afterwards. */
  readonly resumable: boolean;
}

export interface Work {
  readonly codex: CodexClient;
  readonly thread: Thread;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

/** The result of a turn. */
export interface Outcome {
  readonly text: string;
  readonly output?: unknown;
  /** Only for a review. */
  readonly findings?: readonly ReviewFinding[];
}

/** How a turn ended. */
export interface Ended {
  readonly outcome?: Outcome;
  readonly error?: Error;
}

/** Runs one turn, from the connection to the summary. */
export async function conduct(invocation: Invocation<TurnCommandOptions>, plan: Plan): Promise<void> {
  const { options, output, cwd } = invocation;
  await requireLogin(options);
  prepareLook(output);
  let presenter: Presenter | undefined;
  let connection: Connection | undefined;
  const stop = listenForStop(() => {
    presenter?.close();
    void connection?.codex.disconnect();
  });
  const desk: Desk = {
    output,
    folder: () => connection?.folder ?? cwd,
    presenter: () => presenter,
    yes: options.yes === true,
    interrupt: stop.interrupt,
    stopped: stop.signal,
  };
  try {
    connection = await connect(options, cwd, {
      sandbox: options.sandbox,
      approvalPolicy: options.approval ?? "on-request",
      model: options.model,
      onApproval: (request) => decide(request, desk),
      onPermissions: (request) => permit(request, desk),
      onUserInput: (request) => answer(request, desk),
      onElicitation: (request) => elicited(request, desk),
    });
    await using opened = connection;
    const { codex, folder } = opened;
    codex.on("warning", ({ message }) => warn(message, presenter, output));
    const thread = await plan.open(codex, opened);
    const watched = watch(thread, options.maxTokens, stop);
    const { id: threadId, model = null } = thread;
    const serverVersion = codex.server.version;
    output.json({ type: "started", command: plan.name, threadId, model, cwd: folder, serverVersion });
    presenter = await stage(invocation, plan, { codex, thread, connection: opened, stop, watched });
    const ended = await perform(plan, { codex, thread, connection: opened, signal: stop.signal }, presenter);
    presenter.close();
    const facts = watched.facts();
    // A thread is stored with its first turn. The threads of the demo and of a recording are not kept.
    const resumable = plan.resumable && facts.turnId !== undefined && !options.demo && !isReplayed();
    tell(facts, ended, { output, plan, folder, resumable });
    if (ended.error !== undefined) throw ended.error;
  } finally {
    presenter?.close();
    stop.close();
  }
}

/** Shows a client warning apart from the other output: between the blocks of a screen, otherwise on stderr. */
function warn(message: string, presenter: Presenter | undefined, output: Output): void {
  const text = `warning: ${message}`;
  if (presenter?.screen) presenter.note(text);
  else output.remark(text);
}

/** Runs the turn and shows its events. Returns how it ended. */
async function perform(plan: Plan, work: Work, presenter: Presenter): Promise<Ended> {
  const unsubscribe = work.thread.subscribe((_, event) => {
    if (isWire(event)) presenter.event(event);
  });
  try {
    return { outcome: await plan.perform(work) };
  } catch (error) {
    const { signal } = work;
    return { error: (error instanceof AbortedError && signal.aborted ? signal.reason : error) as Error };
  } finally {
    unsubscribe();
  }
}

async function stage(
  { output }: Invocation,
  plan: Plan,
  {
    codex,
    thread,
    connection,
    stop,
    watched,
  }: Omit<Work, "signal"> & { readonly stop: Stop; readonly watched: Watched },
): Promise<Presenter> {
  const isBare = output.isQuiet;
  if (!isBare) output.progress.styled(`${plan.heading(connection)}\n\n`);
  const presenter = await present({
    isBare,
    output,
    folder: connection.folder,
    meter: { usage: watched.usage, context: () => thread.state.context },
    keys: {
      interrupt: stop.interrupt,
      gone: stop.hangUp,
      submit: (text) => {
        if (!plan.isSteerable) return;
        steer(codex, thread, text).then(
          () => presenter.note(`Sent to Codex: ${text}`),
          (error: Error) => presenter.note(`Not sent: ${error.message}`),
        );
      },
    },
    hint: () => hintOf(stop, plan),
    ...(plan.hides && { hides: plan.hides }),
  });
  return presenter;
}

function hintOf(stop: Stop, plan: Plan): string {
  if (stop.isStopping) return "interrupting; press Ctrl-C again to quit";
  return plan.isSteerable ? "type to steer, Ctrl-C interrupts" : "Ctrl-C interrupts";
}

/** Steers the running turn. The text is shown as a user message when the model receives it. */
async function steer(codex: CodexClient, thread: Thread, text: string): Promise<void> {
  const { activeTurnId: expectedTurnId } = thread.state;
  if (expectedTurnId === undefined) throw new Error("no turn is running");
  await codex.steerTurn({ threadId: thread.id, input: text, expectedTurnId });
}

/** Whether an event comes from the server. The client adds others. */
function isWire(event: unknown): event is TurnEvent {
  return "params" in (event as object);
}
