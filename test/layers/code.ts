import type { SourceFile } from "./imports.ts";

/** Code that only some files may contain. */
export interface CodeRule {
  readonly is: string;
  /** The files that the rule applies to, by the start of their paths. */
  readonly in: readonly string[];
  readonly forbidden: RegExp;
  /** The files that may contain the code. */
  readonly except: readonly string[];
}

const LIBRARY = "packages/codexwright/src/";
/** Layers that may communicate only through the connection that they are given. */
const NEUTRAL = ["agent", "client", "endpoint", "protocol", "redact", "rpc", "schema", "tools", "websocket"];

export const CODE_RULES: Readonly<
  Record<"reach" | "dynamic" | "evaluation" | "comparison" | "terminal" | "prompt", CodeRule>
> = {
  reach: {
    is: "accesses the network or the disk by itself",
    in: [...NEUTRAL.map((layer) => `${LIBRARY}${layer}/`), "packages/engine/src/core/"],
    forbidden: /from "node:|\bfetch\(|XMLHttpRequest|importScripts|(?<![#.\w])require\(/,
    except: [],
  },
  dynamic: {
    is: "imports modules by a name that is not in our code",
    in: [...NEUTRAL.map((layer) => `${LIBRARY}${layer}/`), "packages/engine/src/core/"],
    forbidden: /\bimport\((?!"\.{1,2}\/[\w./-]+")[^)]*\)/,
    // This file loads the optional packages.
    except: [`${LIBRARY}rpc/optional-dependency.ts`],
  },
  evaluation: {
    is: "evaluates code or starts a shell",
    in: [LIBRARY, "packages/engine/src/", "packages/gateway/src/", "packages/testing/src/"],
    forbidden:
      /\beval\(|new Function\(|node:vm|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from "node:child_process"|shell:\s*true/,
    except: [],
  },
  comparison: {
    is: "compares a secret in a time that depends on the position of the first difference",
    in: [`${LIBRARY}server/`, "packages/gateway/src/"],
    // A secret may be compared with `undefined` or an empty text, to check whether there is one.
    forbidden:
      /(?<!typeof )\b(?:token|secret|digest|signature|expected)\b(?!\s*[!=]==\s*(?:""|undefined\b))\s*[!=]==|[!=]==\s*(?:token|secret|digest|signature|expected|sha256)\b|\bsha256\([^()]*\)\s*[!=]==|\.equals\(|\bBuffer\.compare\(/,
    // This file compares the claims of a token after its signature was verified.
    except: [`${LIBRARY}server/claims.ts`],
  },
  terminal: {
    is: "writes to the terminal, or passes on a stream that can",
    in: ["packages/cli/src/", "packages/gateway/src/"],
    // Reading the properties of a stream is allowed.
    forbidden:
      /\bprocess\s*\.\s*std(?:out|err)\b(?!\s*(?:\.\s*(?:isTTY|columns|rows|on|off|once)\b|\)))|\bprocess\s*\[|\bstd(?:out|err)\b[^;{}]*\}\s*=\s*process\b|\bconsole\s*\.\s*(?:debug|dir|error|info|log|table|trace|warn)\b|\bfs\w*\.writeSync\(|\bwriteSync\(\s*[12]\b|(?<!styleFor|createLogUpdate)\(process\.std(?:out|err)\)/,
    except: ["packages/cli/src/shared/terminal.ts"],
  },
  prompt: {
    is: "prompts",
    in: ["packages/cli/src/", "packages/gateway/src/"],
    forbidden: /@clack\/prompts/,
    except: ["packages/cli/src/shared/prompts.ts"],
  },
};

/** Lists the files that break a rule, with the code that breaks it. Comments are ignored. */
export function breaking(sources: readonly SourceFile[], rule: CodeRule): string[] {
  return sources
    .filter(({ file }) => rule.in.some((start) => file.startsWith(start)) && !rule.except.includes(file))
    .flatMap(({ file, text }) => {
      const code = text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
      const [found] = rule.forbidden.exec(code) ?? [];
      return found === undefined ? [] : [`${file} ${rule.is}: ${found}`];
    });
}
