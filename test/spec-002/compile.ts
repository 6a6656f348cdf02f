import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { EXAMPLES, exampleText } from "./examples.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const COMPILER = path.join(ROOT, "node_modules/@typescript/native/bin/tsc");
const PACKAGE = path.join(ROOT, "packages/codexwright/dist/types/node/index.d.ts");

/** Compiler errors, by file. */
export type Faults = Map<string, { readonly code: number; readonly message: string }[]>;

/** Compiles these files and `use.ts`; `entry` is the file that the name `codexwright` resolves to. */
function compile(files: Readonly<Record<string, string>>, entry: string): Faults {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "spec-002-")));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    copyFileSync(path.join(import.meta.dirname, "use.ts"), path.join(folder, "use.ts"));
    const compilerOptions = {
      target: "ES2023",
      module: "nodenext",
      lib: ["ES2023", "ESNext.Disposable"],
      types: ["node"],
      typeRoots: [path.join(ROOT, "node_modules/@types")],
      paths: { codexwright: [path.resolve(folder, entry)] },
      // As the document requires: strict, and no further checks.
      strict: true,
      noEmit: true,
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*"] }));
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const { stdout, stderr } = spawnSync(process.execPath, [COMPILER, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      cwd: folder,
    });
    return read(stdout + stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read(output: string): Faults {
  const faults: Faults = new Map();
  for (const line of output.split("\n")) {
    const [, file = "", code = "", message = ""] =
      /^(.*?)(?:\(.*?\))?: error TS(\d+): (.*)$/.exec(line) ?? [];
    // Ignore errors in the types of dependencies.
    if (code === "" || path.dirname(file) !== ".") continue;
    faults.set(file, [...(faults.get(file) ?? []), { code: Number(code), message }]);
  }
  if (output !== "" && faults.size === 0 && !output.includes("node_modules")) throw new Error(output);
  return faults;
}

/** Names that the document uses without defining them, with their meaning there. */
const UNDEFINED: Readonly<Record<string, string>> = {
  ExecCommandParams: "{ command: string[] }",
  JsonRpcMessage: "JsonRpcRequest | JsonRpcResponse | JsonRpcNotification",
  ListModelsParams: "{ limit?: number }",
  ListThreadsParams: "{ limit?: number }",
  PlanEntry: "{ step: string; status: string }",
  ReviewResult: "{ turn: Turn; reviewThreadId: string }",
};

/** The names of all types of the document. */
export function names(): string[] {
  const text = exampleText("types.ts.txt") + exampleText("options.ts.txt");
  const defined = [...text.matchAll(/^(?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
  return [...defined, ...Object.keys(UNDEFINED)];
}

const GLOBALS = `
declare const EventEmitter: typeof import("node:events").EventEmitter;
declare type ChildProcess = import("node:child_process").ChildProcess;
declare const client: import("codexwright").CodexClient;
`;

/** The name of the file that the compiler sees for an example. */
export function fileOf({ file, form }: (typeof EXAMPLES)[number]): string {
  return file.replace(/\.ts\.txt$/, form === "declarations" ? ".d.ts" : ".ts");
}

/** Compiles every example. Names that an example uses without defining them come from `codexwright`. */
export function compileExamples(): Faults {
  const aliases = names().map((name) => `declare type ${name} = import("codexwright").${name};\n`);
  const files: Record<string, string> = { "globals.d.ts": GLOBALS + aliases.join("") };
  for (const example of EXAMPLES) {
    const text = exampleText(example.file);
    // As a module, so that its own declarations hide those of the package.
    const whole = example.form === "method" ? `class Example {\n${text}}\nvoid Example;\n` : text;
    files[fileOf(example)] = `${whole}export {};\n`;
  }
  return compile(files, PACKAGE);
}

/** Compiles `use.ts` with a `codexwright` that consists of the document's own declarations. */
export function compileUseOfDocument(): Faults {
  const missing = Object.entries(UNDEFINED).map(([name, type]) => `type ${name} = ${type};\n`);
  const helpers = ["run-turn.ts.txt", "run-review.ts.txt"].map((file) =>
    exampleText(file).replace(/^async (.*) \{[^]*/, "$1;"),
  );
  const all = names().join(", ");
  return compile(
    {
      "globals.d.ts": GLOBALS,
      "types.d.ts": `${exampleText("types.ts.txt")}${exampleText("options.ts.txt")}${missing.join("")}export type { ${all} };\n`,
      "client.d.ts": `import type { ${all} } from "./types.js";\n${exampleText("client.ts.txt")}export interface CodexClient {\n${helpers.join("\n")}\n}\n`,
      "index.d.ts": `export type * from "./types.js";\nexport { CodexClient, CodexClient as default } from "./client.js";\n`,
    },
    "index.d.ts",
  );
}

/** Compiles `use.ts` with the package itself. */
export function compileUseOfPackage(): Faults {
  return compile({}, PACKAGE);
}
