/** The interfaces that the engine needs from outside. It uses them for everything except the protocol. */
import type { Model } from "codexwright/protocol";
import type { ThreadRecord } from "./records/record.ts";
import type { WireObject } from "./wire-object.ts";

/** Answers the engine's requests to a model. It must not retry: the engine does. */
export interface ModelProvider {
  /** Its name. Clients see it as the `modelProvider` of a thread. */
  readonly id: string;
  /** Returns the models for `model/list`. */
  models(signal: AbortSignal): Promise<readonly Model[]>;
  /**
   * Streams one response. It ends with the event `completed`, or throws a `ModelError`. When the signal aborts, it
   * must throw the signal's reason immediately.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** One request to a model. */
export interface ModelRequest {
  readonly model: string;
  readonly instructions: string;
  /** The conversation as Responses API items, oldest first. */
  readonly input: readonly WireObject[];
  /** The available tools, in the form of the Responses API. */
  readonly tools: readonly WireObject[];
  /** The JSON Schema that the answer must match. */
  readonly outputSchema?: { readonly schema: unknown; readonly strict: boolean };
  readonly ids: { readonly thread: string };
}

/** An event of a response. Items are Responses API items. */
export type ModelEvent =
  /** The model has started to answer. */
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

/** The tokens of one response. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningOutputTokens: number;
  readonly totalTokens: number;
}

/** Runs commands: those of the model, of the user within a thread, and of clients without a thread. */
export interface Shell {
  start(command: ShellCommand): ShellProcess;
}

export interface ShellCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The thread that the command belongs to; unset for `command/exec`. */
  readonly threadId?: string;
  /** The tool call that the command belongs to. */
  readonly callId?: string;
  /** Receives the command's output. */
  readonly onData: (text: string, stream: "stdout" | "stderr") => void;
}

/** A running command. */
export interface ShellProcess {
  /** The exit code after the command has ended, which may be before `start` returns. */
  readonly exitCode: number | undefined;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  /** Writes to stdin. */
  write(text: string): void;
  /** Closes stdin. */
  end(): void;
  /** Kills the command; `exited` must resolve soon after. */
  kill(): void;
}

/** The file system. Errors have the `code` that Node uses, such as "ENOENT". */
export interface Files {
  /**
   * Returns the text of a file, or `undefined` if it cannot be read. This method and the next two serve patches. They
   * are synchronous, so that a patch is checked and written without interruption.
   */
  readText(file: string): string | undefined;
  /** Writes a file, and creates its folder if needed. */
  writeText(file: string, text: string): void;
  /** Removes a file if it exists. */
  removeFile(file: string): void;
  read(file: string): Promise<Uint8Array>;
  write(file: string, bytes: Uint8Array): Promise<void>;
  createDirectory(folder: string, recursive: boolean): Promise<void>;
  metadata(file: string): Promise<FileMetadata>;
  /** Returns the entries of a folder. */
  list(folder: string): Promise<readonly FileEntry[]>;
  /** Returns everything below a folder, with relative paths. */
  walk(folder: string): Promise<readonly (FileEntry & { readonly path: string })[]>;
  copy(from: string, to: string, recursive: boolean): Promise<void>;
  remove(file: string, options: { readonly recursive: boolean; readonly force: boolean }): Promise<void>;
  /** Calls `changed` with each changed path, until the watch is closed. */
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

/** Facts of the machine other than files. */
export interface Platform {
  readonly hostname: string;
  readonly paths: Paths;
  /** Returns the hash of the text's UTF-8 bytes, in hexadecimal. */
  digest(algorithm: "sha1" | "sha256", text: string): string;
}

/** Path functions of the machine: the part of Node's `path` that the engine uses. */
export interface Paths {
  readonly sep: string;
  resolve(...parts: string[]): string;
  relative(from: string, to: string): string;
  join(...parts: string[]): string;
  basename(file: string): string;
  isAbsolute(file: string): boolean;
}

/** Stores threads that have a history, loaded or not. */
export interface ThreadStore {
  get(id: string): ThreadRecord | undefined;
  all(): ThreadRecord[];
  /** Stores the current state of a thread. */
  save(record: ThreadRecord): void;
  /** Claims a thread for a server, since only one may load it. Returns false if another server has it. */
  claim(id: string, writer: object): boolean;
  release(id: string, writer: object): void;
  archive(record: ThreadRecord, archived: boolean): void;
  /** Stores a shortened history under a new branch name. */
  branch(record: ThreadRecord, branch: string): void;
  delete(record: ThreadRecord): void;
}

/** The MCP servers whose tools the model may call. */
export interface McpServers {
  list(): readonly McpServer[];
  /** Returns the tool for a call, or `undefined` if there is none. */
  find(call: McpCall): McpTool | undefined;
  /** Whether all tools of this server run without approval. */
  approved(server: string): boolean;
}

export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly McpToolInfo[];
}

/** A tool, as its server describes it. */
export interface McpToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Whether the tool only reads (`readOnlyHint`); then it needs no approval. */
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

export interface McpTool extends McpToolInfo {
  call(args: WireObject, context: McpContext): McpResult | Promise<McpResult>;
}

/** Identifies a tool, and the model's call of it. */
export interface McpCall {
  readonly threadId: string;
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
}

/** The result of an MCP tool: a text, the `content` of a result, or the reason for a failure. */
export type McpResult = string | readonly WireObject[] | { readonly error: string };

/** Functions that an MCP tool can call while it runs. */
export interface McpContext {
  /** Asks the user a question, like an elicitation of an MCP server. */
  readonly elicit: (request: {
    readonly message: string;
    readonly requestedSchema: WireObject;
  }) => Promise<WireObject>;
}

/** The pauses of the engine, which let clients read and answer. */
export interface Pace {
  /** The pause between two steps of a turn. */
  step(): Promise<void>;
  /** The pause between the answer to `turn/start` and the first event of the turn. */
  turn(): Promise<void>;
}

/** How a Codex version differs from the newest one. */
export interface Dialect {
  readonly version: string;
  /** Whether the version has this method. */
  knows(method: string): boolean;
  /** Returns the id of a thread's next turn, if the version does not use UUIDs. */
  turnId(thread: ThreadRecord): string | undefined;
  /** Whether `item/started` of a command comes before its approval request. */
  readonly showsWhatItAsksFor: boolean;
  /** Whether a declined patch completes twice: as declined and as failed. */
  readonly endsDeclinedPatchesTwice: boolean;
  /** Whether a review runs in a turn of its own inside the requested turn. */
  readonly nestsReviews: boolean;
  /** Whether a second `turn/start` gets a new id, of a turn that never ends. */
  readonly startsPhantoms: boolean;
}
