/**
 * The interfaces between the engine and its environment. The engine handles the protocol itself, and uses
 * these interfaces for everything else.
 */
import type { Model } from "codexwright/protocol";
import type { ThreadRecord } from "./records/record.ts";
import type { WireObject } from "./wire-object.ts";

/** Answers model requests. It must not retry failed requests, because the engine retries them. */
export interface ModelProvider {
  /** The name that clients see as the `modelProvider` of a thread. */
  readonly id: string;
  /** Returns the models for `model/list`. */
  models(signal: AbortSignal): Promise<readonly Model[]>;
  /**
   * Streams one response. The stream must end with a `completed` event or throw a `ModelError`. If the signal aborts,
   * the stream must throw the signal's reason immediately.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** One request to a model. */
export interface ModelRequest {
  readonly model: string;
  readonly instructions: string;
  /** The conversation as Responses API items, oldest first. */
  readonly input: readonly WireObject[];
  /** The tools that the model may call, in the form of the Responses API. */
  readonly tools: readonly WireObject[];
  /** The JSON Schema that the answer must match. */
  readonly outputSchema?: { readonly schema: unknown; readonly strict: boolean };
  readonly ids: { readonly thread: string };
}

/** An event of a model's response. Items are Responses API items. */
export type ModelEvent =
  /** The model has begun to answer. */
  | { readonly type: "created" }
  | { readonly type: "itemAdded" | "itemDone"; readonly item: WireObject }
  | { readonly type: "text"; readonly itemId: string; readonly delta: string }
  | { readonly type: "summaryPart"; readonly itemId: string; readonly index: number }
  | {
      readonly type: "summary" | "reasoning";
      readonly itemId: string;
      readonly index: number;
      readonly delta: string;
    }
  | { readonly type: "completed"; readonly usage: ModelUsage };

/** The tokens that one response used. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningOutputTokens: number;
  readonly totalTokens: number;
}

/** Runs the commands of the model, of the user within a thread, and of `command/exec`. */
export interface Shell {
  start(command: ShellCommand): ShellProcess;
}

export interface ShellCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The thread that the command runs for. A command of `command/exec` has none. */
  readonly threadId?: string;
  /** The model's tool call that the command runs for. */
  readonly callId?: string;
  /** Called with each piece of output. */
  readonly onData: (text: string, stream: "stdout" | "stderr") => void;
}

/** A command that was started. */
export interface ShellProcess {
  /** The exit code, or `undefined` while the command runs. The command may end before `start` returns. */
  readonly exitCode: number | undefined;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  /** Writes to its stdin. */
  write(text: string): void;
  /** Closes its stdin. */
  end(): void;
  /** Kills the command. `exited` must resolve soon after. */
  kill(): void;
}

/** Reads and writes files. Its errors must have Node's `code`, such as "ENOENT". */
export interface Files {
  /**
   * Returns the text of a file, or `undefined` if it cannot be read. This method and the next two are synchronous
   * because the engine checks and writes patches without a pause.
   */
  readText(file: string): string | undefined;
  /** Writes a file, and creates its folder if it does not exist. */
  writeText(file: string, text: string): void;
  /** Removes a file if it exists. */
  removeFile(file: string): void;
  read(file: string): Promise<Uint8Array>;
  write(file: string, bytes: Uint8Array): Promise<void>;
  createDirectory(folder: string, recursive: boolean): Promise<void>;
  metadata(file: string): Promise<FileMetadata>;
  /** Returns the entries of a folder. */
  list(folder: string): Promise<readonly FileEntry[]>;
  /** Returns all entries below a folder, with paths relative to it. */
  walk(folder: string): Promise<readonly (FileEntry & { readonly path: string })[]>;
  copy(from: string, to: string, recursive: boolean): Promise<void>;
  remove(file: string, options: { readonly recursive: boolean; readonly force: boolean }): Promise<void>;
  /** Calls `changed` with each path that changes, until the watcher is closed. */
  watch(file: string, changed: (file: string) => void): { close(): void };
}

export interface FileEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

export interface FileMetadata {
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** Describes the machine, apart from its files. */
export interface Platform {
  readonly hostname: string;
  readonly paths: Paths;
  /** Returns the hash of the text's UTF-8 bytes, in hexadecimal. */
  digest(algorithm: "sha1" | "sha256", text: string): string;
}

/** The functions of Node's `path` that the engine uses. */
export interface Paths {
  readonly sep: string;
  resolve(...parts: string[]): string;
  relative(from: string, to: string): string;
  join(...parts: string[]): string;
  basename(file: string): string;
  isAbsolute(file: string): boolean;
}

/** Stores threads that have a history, whether they are loaded or not. */
export interface ThreadStore {
  get(id: string): ThreadRecord | undefined;
  all(): ThreadRecord[];
  /** Saves the current state of a thread. */
  save(record: ThreadRecord): void;
  /** Reserves a thread for one server. Returns false if another server has it loaded. */
  claim(id: string, writer: object): boolean;
  release(id: string, writer: object): void;
  archive(record: ThreadRecord, archived: boolean): void;
  /** Continues a truncated history under another name. */
  branch(record: ThreadRecord, branch: string): void;
  delete(record: ThreadRecord): void;
}

/** The MCP servers whose tools the model may call. */
export interface McpServers {
  list(): readonly McpServer[];
  /** Returns the tool that a call names, or `undefined` if it does not exist. */
  find(call: McpCall): McpTool | undefined;
  /** Whether the tools of this server never need approval. */
  approved(server: string): boolean;
}

export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly McpToolInfo[];
}

/** A tool as its server describes it. */
export interface McpToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** A tool that only reads (`readOnlyHint`) needs no approval. */
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

export interface McpTool extends McpToolInfo {
  call(args: WireObject, context: McpContext): McpResult | Promise<McpResult>;
}

/** A tool call of the model, with the tool that it names. */
export interface McpCall {
  readonly threadId: string;
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
}

/** The result of an MCP tool: text, the `content` of a result, or an error message. */
export type McpResult = string | readonly WireObject[] | { readonly error: string };

/** Functions that an MCP tool may call while it runs. */
export interface McpContext {
  /** Asks the user through an MCP elicitation. */
  readonly elicit: (request: {
    readonly message: string;
    readonly requestedSchema: WireObject;
  }) => Promise<WireObject>;
}

/** Pauses the engine, so that clients can read and answer in between. */
export interface Pace {
  /** Pauses between two steps of a turn. */
  step(): Promise<void>;
  /** Pauses after the answer to the request that starts a turn, before the turn's first event. */
  turn(): Promise<void>;
}

/** How a version of Codex differs from the newest. */
export interface Dialect {
  readonly version: string;
  /** Whether this version has the method. */
  knows(method: string): boolean;
  /** Returns the id of the thread's next turn, or `undefined` for a new UUID. */
  turnId(thread: ThreadRecord): string | undefined;
  /** Whether the item of a command starts before the user is asked to approve it. */
  readonly showsWhatItAsksFor: boolean;
  /** Whether a patch that the user declines completes twice: as declined, then as failed. */
  readonly endsDeclinedPatchesTwice: boolean;
  /** Whether a review runs as a separate turn, nested in the requested turn. */
  readonly nestsReviews: boolean;
  /** Whether `turn/start` during a turn returns the id of a new turn, which starts but never ends. */
  readonly startsPhantoms: boolean;
}
