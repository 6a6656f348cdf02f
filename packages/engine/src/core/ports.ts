/** What the engine needs from outside. Everything it does beside the protocol goes through one of these interfaces. */
import type { Model } from "codexwright/protocol";
import type { ThreadRecord } from "./records/record.ts";
import type { WireObject } from "./wire-object.ts";

/** Answers what the engine asks a model. It never retries: the engine does. */
export interface ModelProvider {
  /** Its name, which clients see as the `modelProvider` of a thread. */
  readonly id: string;
  /** The models that `model/list` shows. */
  models(signal: AbortSignal): Promise<readonly Model[]>;
  /**
   * One response. It ends with the event `completed`, or throws a `ModelError`; when the signal is aborted it throws
   * the signal's reason at once.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** One request to a model. */
export interface ModelRequest {
  readonly model: string;
  readonly instructions: string;
  /** The conversation as Responses API items, oldest first. */
  readonly input: readonly WireObject[];
  /** The tools on offer, in the form of the Responses API. */
  readonly tools: readonly WireObject[];
  /** The JSON Schema that the answer has to follow. */
  readonly outputSchema?: { readonly schema: unknown; readonly strict: boolean };
  readonly ids: { readonly thread: string };
}

/** What a model says, piece by piece. Items are Responses API items. */
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

/** Tokens of one response. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningOutputTokens: number;
  readonly totalTokens: number;
}

/** Runs commands: of the model, of the user within a thread, and of clients without one. */
export interface Shell {
  start(command: ShellCommand): ShellProcess;
}

export interface ShellCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The thread it runs for; a command of `command/exec` has none. */
  readonly threadId?: string;
  /** The model's call it runs for. */
  readonly callId?: string;
  /** Called with everything it writes. */
  readonly onData: (text: string, stream: "stdout" | "stderr") => void;
}

/** A command that was started. */
export interface ShellProcess {
  /** Its exit code once it has ended, which may be before `start` returns. */
  readonly exitCode: number | undefined;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  /** Writes to its stdin. */
  write(text: string): void;
  /** Closes its stdin. */
  end(): void;
  /** Ends it: `exited` resolves soon. */
  kill(): void;
}

/** The files of the machine. Errors have the `code` that Node gives them, such as "ENOENT". */
export interface Files {
  /**
   * The text of a file, or `undefined` when it cannot be read. This and the next two are for patches, which are
   * checked and written in one go.
   */
  readText(file: string): string | undefined;
  /** Writes a file, and makes its folder when there is none. */
  writeText(file: string, text: string): void;
  /** Removes a file when there is one. */
  removeFile(file: string): void;
  read(file: string): Promise<Uint8Array>;
  write(file: string, bytes: Uint8Array): Promise<void>;
  createDirectory(folder: string, recursive: boolean): Promise<void>;
  metadata(file: string): Promise<FileMetadata>;
  /** What is in a folder. */
  list(folder: string): Promise<readonly FileEntry[]>;
  /** All that is below a folder, with paths relative to it. */
  walk(folder: string): Promise<readonly (FileEntry & { readonly path: string })[]>;
  copy(from: string, to: string, recursive: boolean): Promise<void>;
  remove(file: string, options: { readonly recursive: boolean; readonly force: boolean }): Promise<void>;
  /** Calls `changed` with the path of what changes, until it is closed. */
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

/** Facts of the machine that are not files. */
export interface Platform {
  readonly hostname: string;
  readonly paths: Paths;
  /** The hash of a text's UTF-8 bytes, in hexadecimal. */
  digest(algorithm: "sha1" | "sha256", text: string): string;
}

/** How paths are written on the machine: the functions of Node's `path` that the engine uses. */
export interface Paths {
  readonly sep: string;
  resolve(...parts: string[]): string;
  relative(from: string, to: string): string;
  join(...parts: string[]): string;
  basename(file: string): string;
  isAbsolute(file: string): boolean;
}

/** Threads that have a history, whether they are loaded or not. */
export interface ThreadStore {
  get(id: string): ThreadRecord | undefined;
  all(): ThreadRecord[];
  /** Keeps what a thread is now. */
  save(record: ThreadRecord): void;
  /** Only one server may have a thread loaded. Returns false when another one does. */
  claim(id: string, writer: object): boolean;
  release(id: string, writer: object): void;
  archive(record: ThreadRecord, archived: boolean): void;
  /** A history that was cut short goes on under another name. */
  branch(record: ThreadRecord, branch: string): void;
  delete(record: ThreadRecord): void;
}

/** The MCP servers whose tools the model may call. */
export interface McpServers {
  list(): readonly McpServer[];
  /** The tool that a call is for, or `undefined` when there is none. */
  find(call: McpCall): McpTool | undefined;
  /** Whether no call of this server's tools needs an approval. */
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

/** Which tool is called, and by which call of the model. */
export interface McpCall {
  readonly threadId: string;
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
}

/** What an MCP tool answers: text, the `content` of a result, or why it failed. */
export type McpResult = string | readonly WireObject[] | { readonly error: string };

/** What an MCP tool may do beside returning. */
export interface McpContext {
  /** Asks the user, as an MCP server's elicitation does. */
  readonly elicit: (request: {
    readonly message: string;
    readonly requestedSchema: WireObject;
  }) => Promise<WireObject>;
}

/** How long the engine pauses, so that clients can read and answer in between. */
export interface Pace {
  /** Between two steps of a turn. */
  step(): Promise<void>;
  /** Between the answer to the request that starts a turn and the turn's first event. */
  turn(): Promise<void>;
}

/** In what a version of Codex behaves differently from the newest. */
export interface Dialect {
  readonly version: string;
  /** Whether it has this method. */
  knows(method: string): boolean;
  /** The id of a thread's next turn, when that is not a UUID. */
  turnId(thread: ThreadRecord): string | undefined;
  /** Whether a command is an item before the user is asked about it. */
  readonly showsWhatItAsksFor: boolean;
  /** Whether a patch that the user declines ends twice: as declined and as failed. */
  readonly endsDeclinedPatchesTwice: boolean;
  /** Whether a review runs in a turn of its own within the one that was asked for. */
  readonly nestsReviews: boolean;
  /** Whether a second `turn/start` gets an id of its own, of a turn that never ends. */
  readonly startsPhantoms: boolean;
}
