import { isJsonObject } from "../../rpc/json.ts";
import { homedir, tmpdir } from "node:os";
import { classifyAll, threadOf, type Classified } from "../exchanges.ts";
import { entriesOf, type RecordedEntry, type Recording } from "../format.ts";
import { joinDeltas } from "./join-deltas.ts";
import { Names } from "./names.ts";
import { pathNamer, pathsIn } from "./path-names.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** Options of {@link normalize}. */
export interface NormalizeOptions {
  /**
   * Folders by name. For example, `{ work: "/work/x" }` replaces `/work/x/a.txt` by `<work>/a.txt`. CODEX_HOME and the
   * folders of threads are taken from the recording, and the home and temp folders from the system.
   */
  readonly paths?: Readonly<Record<string, string>>;
  /** Notifications to leave out, such as {@link NOISE}. */
  readonly drop?: readonly string[];
}

const OPTIONS: Table<NormalizeOptions> = { paths: is.recordOf(is.text), drop: is.listOf(is.text) };

/** One message of a {@link Transcript}. */
export interface TranscriptMessage {
  readonly connection: number;
  readonly direction: "in" | "out";
  readonly kind: "request" | "response" | "notification" | "text" | "closed";
  /** For a response, the method of its request. */
  readonly method?: string;
  /**
   * The name of the request, such as `request-1` or `thread-1/server-request-1`. A response has the name of the request
   * that it answers.
   */
  readonly id?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  /** A line that is not a message. */
  readonly text?: string;
  /** The end that closed the connection. */
  readonly by?: "client" | "server";
}

/** The messages of a recording, without details that differ from run to run. */
export type Transcript = readonly TranscriptMessage[];

/** Notifications that come at random times or depend on the machine. */
export const NOISE: readonly string[] = [
  "account/rateLimits/updated",
  "configWarning",
  "deprecationNotice",
  // A quick command may send its output in deltas or only at its end. The completed item contains all of the output.
  "item/commandExecution/outputDelta",
  "mcpServer/startupStatus/updated",
  "remoteControl/status/changed",
  "skills/changed",
  "thread/readState/changed",
  "warning",
];

/**
 * Makes recordings comparable. Ids are named in the order of their appearance (`thread-1`, `thread-1/turn-1`,
 * `thread-1/item-2`). Times and durations are removed. Folders, versions, ports, uuids and timestamps are replaced by
 * placeholders. The deltas of an item are joined.
 */
export function normalize(recording: Recording, options: NormalizeOptions = {}): Transcript {
  checkOptions("normalize()", options, OPTIONS);
  const entries = entriesOf(recording);
  const classified = classifyAll(entries);
  const names = new Names([...classified.values()]);
  const namePaths = pathNamer({
    tmp: tmpdir(),
    home: homedir(),
    ...pathsIn([...classified.values()]),
    ...options.paths,
  });
  const normalizer = new Normalizer(names, namePaths);
  const drop = new Set(options.drop);
  const messages = entries
    .map((entry) => normalizer.entry(entry, classified.get(entry)))
    .filter(({ kind, method = "" }) => kind !== "notification" || !drop.has(method));
  return joinDeltas(messages);
}

/** Matches times and durations, but not limits that a client sets (`timeoutMs`). */
const TIME = /^(?:.*(?:At|AtMs)|durationMs|elapsedMs|.*[tT]imestamp(?:Ms)?)$/;
const ISO_TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d[:-]\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g;
/** Values that describe the server and its machine. */
const REPLACED: Readonly<Record<string, string>> = {
  userAgent: "<userAgent>",
  codexHome: "<codexHome>",
  cliVersion: "<version>",
  platformFamily: "<platform>",
  platformOs: "<platform>",
};

class Normalizer {
  readonly #names: Names;
  readonly #namePaths: (text: string) => string;

  constructor(names: Names, namePaths: (text: string) => string) {
    this.#names = names;
    this.#namePaths = namePaths;
  }

  entry(entry: RecordedEntry, message: Classified | undefined): TranscriptMessage {
    const { connection } = entry;
    if ("closed" in entry) {
      const { by } = entry.closed;
      return { connection, direction: by === "client" ? "out" : "in", kind: "closed", by };
    }
    const { direction } = entry;
    if (!message || message.kind === "malformed") {
      const text = "text" in entry ? entry.text : JSON.stringify((entry as { message?: unknown }).message);
      return { connection, direction, kind: "text", text: this.#text(text) };
    }
    const { kind, method } = message;
    const id = this.#names.request(message);
    const { params, result, error } = message.entry.message;
    const thread = threadOf(message);
    const body = Object.entries({ params, result, error }).filter(([, value]) => value !== undefined);
    return {
      connection,
      direction,
      kind,
      ...(method !== undefined && { method }),
      ...(id !== undefined && { id }),
      ...Object.fromEntries(
        body.map(([key, value]) => [key, this.#value(value, key, key, thread, connection)]),
      ),
    };
  }

  #value(
    value: unknown,
    field: string,
    parent: string | undefined,
    thread: string | undefined,
    connection: number,
  ): unknown {
    if (typeof value === "string") return this.#string(value, field, parent, thread);
    if (Array.isArray(value))
      return value.map((each) => this.#value(each, field, parent, thread, connection));
    if (!isJsonObject(value)) return value;
    const own =
      (field === "thread" || field === "threads") && typeof value["id"] === "string" ? value["id"] : thread;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, member]) => !isTimeField(key, member))
        .map(([key, member]) => {
          if (key === "requestId")
            return [key, this.#names.serverRequest(connection, member) ?? member] as const;
          if (key === "version" && field === "clientInfo") return [key, "<version>"] as const;
          return [this.#text(key), this.#value(member, key, field, own, connection)] as const;
        }),
    );
  }

  #string(value: string, field: string, parent: string | undefined, thread: string | undefined): string {
    return this.#names.id(field, parent, value, thread) ?? REPLACED[field] ?? this.#text(value);
  }

  #text(text: string): string {
    return this.#names
      .text(this.#namePaths(text))
      .replaceAll(ISO_TIME, "<time>")
      .replaceAll(/(\/sessions\/)\d{4}\/\d\d\/\d\d\//g, "$1<date>/")
      .replaceAll(/\b(127\.0\.0\.1|localhost|\[::1\]):\d+/g, "$1:<port>");
  }
}

/** Returns whether a member holds a time or a duration. */
export function isTimeField(field: string, value: unknown): boolean {
  if (!TIME.test(field)) return false;
  return (
    value === null ||
    typeof value === "number" ||
    (typeof value === "string" && !Number.isNaN(Date.parse(value)))
  );
}
