import {
  ActiveWriterError,
  ThreadBusyError,
  type StartThreadOptions,
  type Thread,
} from "../../client/index.ts";
import { atLeast } from "../../protocol/release.ts";
import { toolSpecs } from "../../tools/tool-spec.ts";
import type { Tool } from "../../tools/tool.ts";
import { messageOf } from "../../schema/schema.ts";
import { RpcError, CodexError } from "../../rpc/errors.ts";
import { canonical } from "../../rpc/json.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { RenderedPrompt } from "../prompt/prompt.ts";
import { StoreThread, ThreadsSlice, type StoredThread } from "../session/threads.ts";
import type { RunSession } from "../tools/run-session.ts";
import type { ServerLink } from "./connections.ts";
import type { AgentOptions, RunSettings } from "./options.ts";

/** Everything needed to open a thread. */
export interface ThreadPlan {
  readonly agent: AgentOptions;
  readonly run: RunSettings;
  readonly promptId: string;
  readonly runId: string;
  readonly session: RunSession;
  readonly rendered: RenderedPrompt;
  readonly signal: AbortSignal;
}

/** A thread for a run. */
export interface OpenedThread {
  readonly thread: Thread;
  readonly reused: boolean;
  /** Why the stored thread was not reused, if a stored thread was requested. */
  readonly reason?: string;
}

/**
 * Resumes the thread that the caller named. Otherwise resumes the thread of the session's last run of this prompt if that thread still fits the run. Otherwise starts a new
 * thread and stores its id in the session. The thread is reserved: the caller must release it with `letGo`.
 */
export async function openThread(link: ServerLink, plan: ThreadPlan): Promise<OpenedThread> {
  const { run, session, promptId, runId, signal } = plan;
  if (run.threadId !== undefined) return { thread: await resumed(link, plan, run.threadId), reused: true };
  const key = await keyOf(plan);
  const threads = session.get(ThreadsSlice);
  const stored = run.reuseThread && Object.hasOwn(threads, promptId) ? threads[promptId] : undefined;
  const found = stored && (await reused(link, plan, stored, key));
  if (found && "thread" in found) return { ...found, reused: true };
  const thread = await link.client.startThread(
    { ...optionsOf(plan), ephemeral: plan.agent.ephemeral, ...toolsOf(plan.rendered) },
    { signal },
  );
  link.take(thread.id);
  session.tagged({ runId }).dispatch(StoreThread({ promptId, thread: { ...key, threadId: thread.id } }));
  return { thread, reused: false, ...found };
}

/** Resumes a thread, which must be free. */
async function resumed(link: ServerLink, plan: ThreadPlan, threadId: string): Promise<Thread> {
  if (!taken(link, threadId)) throw new ThreadBusyError(threadId);
  try {
    const light = atLeast(link.client.server.version, "0.125.0");
    const options = { ...optionsOf(plan), ...(light && { excludeTurns: true }) };
    return await link.client.resumeThread(threadId, options, { signal: plan.signal });
  } catch (error) {
    link.letGo(threadId);
    throw error;
  }
}

/** Reserves a thread. Returns false if a turn runs on it, or another run has it. */
function taken(link: ServerLink, threadId: string): boolean {
  return link.client.thread(threadId).state.activeTurnId === undefined && link.take(threadId);
}

async function reused(
  link: ServerLink,
  plan: ThreadPlan,
  { threadId, ...stored }: StoredThread,
  key: Omit<StoredThread, "threadId">,
): Promise<{ thread: Thread } | { reason: string }> {
  const names = new Set([...Object.keys(key), ...Object.keys(stored)]) as Set<keyof typeof key>;
  const changed = [...names].filter((name) => key[name] !== stored[name]);
  if (changed.length > 0) return { reason: `settings changed: ${changed.join(", ")}` };
  try {
    return { thread: await resumed(link, plan, threadId) };
  } catch (error) {
    if (error instanceof ThreadBusyError) return { reason: "the thread is in use" };
    // If another process works on this thread, do not start a new thread: the work would be split between the two.
    if (error instanceof ActiveWriterError || !isRefusal(error)) throw error;
    return { reason: messageOf(error) };
  }
}

/** True if the server answered with an error, rather than being unreachable. */
function isRefusal(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof CodexError && error.delivery === "rejected");
}

/**
 * The tools that the thread is started with. Their handlers are not used, because the run's own tool runner answers the
 * calls. An empty list is omitted, because old servers do not support tools.
 */
function toolsOf({ tools }: RenderedPrompt): { tools?: readonly Tool[] } {
  return tools.length === 0 ? {} : { tools: tools as readonly unknown[] as readonly Tool[] };
}

type Shared = Pick<StartThreadOptions, "model" | "cwd" | "sandbox" | "approvalPolicy" | "mcpServers">;

function optionsOf({ agent, run }: ThreadPlan): Shared {
  return {
    model: run.model ?? agent.model,
    cwd: folderOf(agent, run),
    sandbox: agent.sandbox,
    approvalPolicy: policyOf(agent),
    mcpServers: agent.mcpServers,
  };
}

/** The folder of a run. Undefined means the server's own working folder. */
export function folderOf(agent: AgentOptions, run: RunSettings): string | undefined {
  return run.workspace?.dir ?? run.cwd ?? agent.cwd;
}

/** The approval policy. The default depends on whether there is a handler that can decide. */
export function policyOf({ approvalPolicy, onApproval }: AgentOptions): NonNullable<typeof approvalPolicy> {
  return approvalPolicy ?? (onApproval ? "on-request" : "never");
}

async function keyOf(plan: ThreadPlan): Promise<Omit<StoredThread, "threadId">> {
  const { cwd, model, sandbox, approvalPolicy, mcpServers } = optionsOf(plan);
  return {
    cwd: cwd ?? null,
    workspaceFingerprint: plan.run.workspace?.fingerprint ?? null,
    toolsFingerprint: await fingerprintOf({ tools: toolSpecs(plan.rendered.tools), mcpServers }),
    model: model ?? null,
    sandbox: sandbox ?? null,
    approvalPolicy: canonical(approvalPolicy),
    // A turn with a sandbox of its own changes the sandbox of all later turns of the thread.
    ...(plan.run.sandboxPolicy && { sandboxPolicy: canonical(plan.run.sandboxPolicy) }),
  };
}
