import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * How an example of the document behind docs/spec/spec-002.md is written. The form determines what must be
 * added to compile it.
 */
type Form = "declarations" | "method" | "statements";

interface Example {
  /** The document's heading above the example. */
  readonly title: string;
  readonly file: string;
  readonly form: Form;
  /** SHA-256 of the example in the document. */
  readonly sha256: string;
  /** Compiler errors in the document itself: their number, by code. */
  readonly faults?: Readonly<Record<number, number>>;
}

/**
 * Every TypeScript example of the document that docs/spec/spec-002.md describes, in the document's order. The
 * files are verbatim copies. They are not named `.ts`, so that no tool formats them.
 */
export const EXAMPLES: readonly Example[] = [
  {
    title: "Transport Layer (src/transport.ts)",
    file: "transport.ts.txt",
    form: "declarations",
    sha256: "edb906b89e40144cd7cb218c07f360d4ae995364ef9bc54b65332c1cf46ef8d3",
    // A parameter property in a constructor without a body.
    faults: { 2369: 1 },
  },
  {
    title: "Client (src/client.ts)",
    file: "client.ts.txt",
    form: "declarations",
    sha256: "5173665c04c624f8c8aebe98a9c387953f2b319fae3bd1a6962761287c2ac39d",
    // `async` in a declaration, once for each method.
    faults: { 1040: 15 },
  },
  {
    title: "Options",
    file: "options.ts.txt",
    form: "declarations",
    sha256: "069f9b788ad9558b5b8a8a57e7d2e65bfea0a35ca0debdcff38d30cda24d0a8e",
  },
  {
    title: "Events (emitted by the client)",
    file: "events.ts.txt",
    form: "statements",
    sha256: "115df47f7fc8736667bd0285ecc6043b6b7bd1f66d6594682d1dc6c84d915713",
  },
  {
    title: "Turn Helper — runTurn()",
    file: "run-turn.ts.txt",
    form: "method",
    sha256: "d25a8ebc5b7f22391b73b7d4845bf89e98e8aadd74d071810607f7091fb278b7",
    // Its body is a list of steps in comments and does not return a value.
    faults: { 2355: 1 },
  },
  {
    title: "Review Helper — runReview()",
    file: "run-review.ts.txt",
    form: "method",
    sha256: "4c104fa0d1b97e43174d695c56c5d5671f726302ab7b8c03477026592437ecba",
    faults: { 2355: 1 },
  },
  {
    title: "Types (src/types.ts)",
    file: "types.ts.txt",
    form: "declarations",
    sha256: "adef784650dcd5fff9cadd962fde5d7c51dc00e27dbdd07b9521ef202da0f395",
  },
];

const FOLDER = path.join(import.meta.dirname, "examples");

export function exampleText(file: string): string {
  return readFileSync(path.join(FOLDER, file), "utf8");
}

/** The copies in the folder, with name and hash. */
export function copies(): { file: string; sha256: string }[] {
  return readdirSync(FOLDER).map((file) => ({
    file,
    sha256: createHash("sha256").update(exampleText(file)).digest("hex"),
  }));
}
