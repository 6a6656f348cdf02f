import { jsonSchema } from "../../schema/json-schema.ts";
import { event, type EventType } from "./event.ts";
import { slice, type Slice } from "./slice.ts";

/** The thread of a prompt's last run, with the settings it was started with. */
export interface StoredThread {
  readonly threadId: string;
  readonly cwd: string | null;
  readonly workspaceFingerprint: string | null;
  /**
   * Fingerprint of the tools and MCP servers, because a thread keeps the tools and MCP servers that it was started
   * with.
   */
  readonly toolsFingerprint: string;
  readonly model: string | null;
  readonly sandbox: string | null;
  readonly approvalPolicy: string;
  /** Set if the run had a `sandboxPolicy`. */
  readonly sandboxPolicy?: string;
}

/** The payload of `StoreThread`. */
export interface ThreadChange {
  readonly promptId: string;
  readonly thread: StoredThread;
}

const text = { type: "string" } as const;
const optional = { type: ["string", "null"] } as const;
const THREAD = {
  type: "object",
  properties: {
    threadId: text,
    cwd: optional,
    workspaceFingerprint: optional,
    toolsFingerprint: text,
    model: optional,
    sandbox: optional,
    approvalPolicy: text,
    sandboxPolicy: text,
  },
  required: [
    "threadId",
    "cwd",
    "workspaceFingerprint",
    "toolsFingerprint",
    "model",
    "sandbox",
    "approvalPolicy",
  ],
  additionalProperties: false,
} as const;

/** Stored when a run has started a thread. */
export const StoreThread: EventType<ThreadChange, ThreadChange> = event(
  "codexwright/storeThread",
  jsonSchema<ThreadChange>({
    type: "object",
    properties: { promptId: text, thread: THREAD },
    required: ["promptId", "thread"],
    additionalProperties: false,
  }),
);

/** For each prompt id, the thread that the next run may resume. Rollbacks do not affect this slice. */
export const ThreadsSlice: Slice<Readonly<Record<string, StoredThread>>> = slice("codexwright/threads", {
  schema: jsonSchema<Readonly<Record<string, StoredThread>>>({
    type: "object",
    additionalProperties: THREAD,
  }),
  initial: {},
  policy: "log",
  on: (on) => [on(StoreThread, (state, { promptId, thread }) => ({ ...state, [promptId]: thread }))],
});
