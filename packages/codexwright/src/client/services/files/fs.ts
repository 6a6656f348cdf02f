import type { FsGetMetadataResponse, FsReadDirectoryEntry } from "../../../protocol/index.ts";
import { atLeast } from "../../../protocol/release.ts";
import { UnexpectedAnswerError } from "../../../rpc/errors.ts";
import { toBytes } from "../bytes.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { ServiceHost } from "../service-host.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { checkAbsolute } from "./paths.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../../rpc/options/table.ts";

/** Metadata of a path. Times are 0 if the file system has none. */
export type FileStat = FsGetMetadataResponse;
export type DirectoryEntry = FsReadDirectoryEntry;

export interface CreateDirectoryOptions extends CallOptions {
  /** Also creates missing parents, and accepts an existing folder; default true. */
  readonly recursive?: boolean | undefined;
}

export interface RemoveOptions extends CallOptions {
  /** Removes folders with their contents; default true. */
  readonly recursive?: boolean | undefined;
  /** Ignores a path that does not exist; default true. */
  readonly force?: boolean | undefined;
}

export interface CopyOptions extends CallOptions {
  /** Required to copy a folder; default false. */
  readonly recursive?: boolean | undefined;
}

const CREATE: Table<CreateDirectoryOptions> = { ...CALL_OPTIONS, recursive: is.flag };
const REMOVE: Table<RemoveOptions> = { ...CALL_OPTIONS, recursive: is.flag, force: is.flag };
const COPY: Table<CopyOptions> = { ...CALL_OPTIONS, recursive: is.flag };

/**
 * The files of the machine that the server runs on, with the server's own rights: no sandbox applies.
 *
 * Every path must be absolute. If it is not, the call rejects with `invalid_argument` and sends nothing. After a system
 * error (no such file, no permission), the call rejects with `rpc`, rpcCode -32603 and the system's message. The server
 * reports nothing else about such an error. Servers before 0.115 do not have these methods, so every call rejects with
 * `unsupported`.
 */
export class CodexFs {
  readonly #host: ServiceHost;

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  /** Returns the whole content of a file as bytes. */
  async readFile(path: string, options?: CallOptions): Promise<Uint8Array> {
    this.#check({ path });
    const { dataBase64 } = await this.#host.request("fs/readFile", { path }, options);
    try {
      return fromBase64(dataBase64);
    } catch {
      throw new UnexpectedAnswerError("fs/readFile", "result.dataBase64 is not base64");
    }
  }

  /** Returns the text of a file, decoded as UTF-8; invalid bytes become U+FFFD. */
  async readText(path: string, options?: CallOptions): Promise<string> {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await this.readFile(path, options));
  }

  /**
   * Writes a file in one message, text as UTF-8, and replaces its content. Over a WebSocket, at most 16 MiB of
   * base64.
   */
  async writeFile(path: string, data: string | Uint8Array, options?: CallOptions): Promise<void> {
    this.#check({ path });
    const dataBase64 = toBase64(toBytes("data", data));
    await this.#host.request("fs/writeFile", { path, dataBase64 }, options);
  }

  async createDirectory(path: string, options: CreateDirectoryOptions = {}): Promise<void> {
    checkOptions("fs.createDirectory()", options, CREATE);
    const { recursive = true, ...call } = options;
    this.#check({ path });
    await this.#host.request("fs/createDirectory", { path, recursive }, call);
  }

  async stat(path: string, options?: CallOptions): Promise<FileStat> {
    this.#check({ path });
    return await this.#host.request("fs/getMetadata", { path }, options);
  }

  /** Returns the direct children of a folder, with their names and kinds, in no particular order. */
  async readDirectory(path: string, options?: CallOptions): Promise<DirectoryEntry[]> {
    this.#check({ path });
    const { entries } = await this.#host.request("fs/readDirectory", { path }, options);
    return entries;
  }

  /** Removes a file or a folder. */
  async remove(path: string, options: RemoveOptions = {}): Promise<void> {
    checkOptions("fs.remove()", options, REMOVE);
    const { recursive = true, force = true, ...call } = options;
    this.#check({ path });
    await this.#host.request("fs/remove", { path, recursive, force }, call);
  }

  /** Copies a file, or with `recursive` a folder. */
  async copy(from: string, to: string, options: CopyOptions = {}): Promise<void> {
    checkOptions("fs.copy()", options, COPY);
    const { recursive = false, ...call } = options;
    this.#check({ from, to });
    const paths = { sourcePath: from, destinationPath: to };
    await this.#host.request("fs/copy", { ...paths, recursive }, call);
  }

  #check(paths: Readonly<Record<string, string>>): void {
    for (const [name, path] of Object.entries(paths)) checkAbsolute(name, path);
    const version = this.#host.serverVersion();
    if (atLeast(version, "0.115.0")) return;
    throw new UnsupportedError(`codex ${version} has no file methods: they came with 0.115`);
  }
}
