import * as fc from "fast-check";

/** Files, and a patch that a model could write for them. */
export interface PatchCase {
  readonly files: Readonly<Record<string, string>>;
  readonly patch: string;
}

/** Numbers and choices of one case. */
interface Choices {
  below(limit: number): number;
  /** True in one of `of` cases. */
  once(of: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

const NAMES = ["a.txt", "b.txt", "src/c.ts", "src/deep/d.ts", "with space.md", "ünï.txt", "./src/../e.txt"];
const LINES = [
  "a",
  "b",
  "c",
  "d",
  "e",
  "f",
  "",
  "",
  "  indented",
  "\ttab",
  "trailing  ",
  "  }",
  "}",
  "function f() {",
  "class A {",
  "say “hello” – it’s",
  'say "hello" - it\'s',
  "wide\u00A0space\u3000here",
  "wide space here",
  "\uFEFFmark",
  "\u0085next",
  "@@ -1 +1 @@",
  "*** Add File: x",
  "+plus",
  "-minus",
  "🙂",
];

/** Cases that are the same for the same seed. Most patches apply; the others are wrong in one of many ways. */
export function patchCases(seed: number, count: number): PatchCase[] {
  return fc.sample(fc.gen(), { seed, numRuns: count }).map((gen) =>
    caseOf({
      below: (limit) => gen(fc.nat, { max: limit - 1 }),
      once: (of) => gen(fc.nat, { max: of - 1 }) === 0,
      pick: (choices) => choices.at(gen(fc.nat, { max: choices.length - 1 })) as never,
    }),
  );
}

function caseOf(choices: Choices): PatchCase {
  const files: Record<string, string> = {};
  const names = [...NAMES];
  for (let n = 1 + choices.below(4); n > 0; n--) {
    const [name = ""] = names.splice(choices.below(names.length), 1);
    files[name.replace("./src/../", "")] = textOf(choices);
  }
  const free = Object.keys(files);
  const parts: string[] = [];
  for (let n = 1 + choices.below(3); n > 0; n--) {
    // Mostly each file once.
    const at = choices.below(free.length || 1);
    const name = free[at] ?? choices.pick(NAMES);
    if (!choices.once(10)) free.splice(at, 1);
    parts.push(partOf(choices, name, files[name] ?? ""));
  }
  const patch = `*** Begin Patch\n${parts.join("")}*** End Patch`;
  return { files, patch: choices.once(4) ? noisy(choices, patch) : patch };
}

function textOf(choices: Choices): string {
  const style = choices.pick(["\n", "\n", "\n", "\r\n", "\r", "mixed"]);
  const end = (): string => (style === "mixed" ? choices.pick(["\n", "\r\n", "\r"]) : style);
  let text = "";
  for (let n = choices.below(25); n > 0; n--) text += choices.pick(LINES) + end();
  return choices.once(5) ? text.replace(/[\r\n]+$/, "") : text;
}

function partOf(choices: Choices, name: string, text: string): string {
  if (choices.once(6)) {
    const lines = Array.from({ length: choices.below(4) }, () => `+${choices.pick(LINES)}\n`);
    return `*** Add File: ${choices.once(2) ? name : choices.pick(NAMES)}\n${lines.join("")}`;
  }
  if (choices.once(8)) return `*** Delete File: ${choices.once(5) ? "missing.txt" : name}\n`;
  const to = choices.pick(["moved.txt", "new/folder/moved.txt", "b.txt", "src/c.ts"]);
  // Codex removes a file that is moved to its own place.
  const move = choices.once(6) && to !== name ? `*** Move to: ${to}\n` : "";
  return `*** Update File: ${name}\n${move}${chunksOf(choices, text)}`;
}

function chunksOf(choices: Choices, text: string): string {
  const lines = text.replace(/(\r\n|\r|\n)$/, "").split(/\r\n|\r|\n/);
  let result = "";
  let from = 0;
  for (let n = 1 + choices.below(3); n > 0; n--) {
    const start = choices.once(12) ? choices.below(lines.length) : from + choices.below(4);
    const end = Math.min(lines.length, start + choices.below(5));
    const anchor = lines[from + choices.below(Math.max(1, start - from))];
    result +=
      choices.once(4) && anchor !== undefined
        ? `@@ ${like(choices, anchor)}\n`
        : n === 1 && choices.once(8)
          ? ""
          : "@@\n";
    result += blockOf(choices, lines.slice(start, end));
    if (choices.once(end === lines.length ? 2 : 12)) result += "*** End of File\n";
    from = end;
  }
  return result;
}

function blockOf(choices: Choices, lines: readonly string[]): string {
  let block = "";
  for (const line of lines) {
    if (choices.once(5)) block += `+${choices.pick(LINES)}\n`;
    block += (choices.once(3) ? "-" : line === "" && choices.once(3) ? "" : " ") + like(choices, line) + "\n";
  }
  if (choices.once(3) || (block === "" && !choices.once(10))) block += `+${choices.pick(LINES)}\n`;
  return choices.once(12) ? `${block}${choices.pick([" ", "-", ""])}\n` : block;
}

/** The line as a model may write it: mostly as it is. */
function like(choices: Choices, line: string): string {
  switch (choices.below(12)) {
    case 0:
      return `${line}${choices.pick([" ", "\t", "\u00A0", "\u0085"])}`;
    case 1:
      return line.trim();
    case 2:
      return `   ${line}`;
    case 3:
      return line
        .replaceAll(/[“”]/g, '"')
        .replaceAll("’", "'")
        .replaceAll("–", "-")
        .replaceAll(/[\u00A0\u3000]/g, " ");
    default:
      return line;
  }
}

/** Changes the text of the patch in a way that can make it wrong. */
function noisy(choices: Choices, patch: string): string {
  const lines = patch.split("\n");
  const at = choices.below(lines.length);
  const line = lines[at] ?? "";
  const wrong = [
    "x",
    "@@x",
    "*** Nothing",
    "*** Environment ID: one",
    "*** Environment ID:",
    "*** End Patch",
    "*** End of File",
    "*** Add File:",
    "*** Update File: b.txt",
    "@@",
    "\t",
    "",
  ];
  switch (choices.below(9)) {
    case 0:
      return lines.toSpliced(at, 1).join("\n");
    case 1:
      return lines.toSpliced(at, 0, line).join("\n");
    case 2:
      return lines.toSpliced(at, 0, choices.pick(wrong)).join("\n");
    case 3:
      return lines.join(choices.pick(["\r\n", "\r\r\n"]));
    case 4:
      return lines.with(at, ` ${line}`).join("\n");
    case 5:
      return lines.with(at, `${line} \t`).join("\n");
    case 6:
      return `\n \n${patch}\n\n`;
    case 7:
      return `${choices.pick(["<<EOF", "<<'EOF'", '<<"EOF"', "<<'END'"])}\n${patch}\n${choices.pick(["EOF", "xEOF", "END"])}\n`;
    default:
      return lines.slice(0, at).join("\n");
  }
}
