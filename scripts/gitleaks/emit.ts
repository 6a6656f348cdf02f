import { parseRegex, type Node } from "./parse-regex.ts";
import { prefixesOf } from "./prefixes.ts";
import { printRegex } from "./print-regex.ts";
import type { Rule } from "./toml.ts";

const NOTICE = `// Generated from the rules of gitleaks by scripts/generate-secret-rules.ts; do not edit.
//
// gitleaks is under the MIT License:
//
// Copyright (c) 2019 Zachary Rice
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.
`;

/**
 * Rules whose patterns are too slow in JavaScript or that have no pattern. `rules/` has hand-written shapes
 * for them.
 */
export const OWN_SHAPES: ReadonlySet<string> = new Set([
  "curl-auth-header",
  "curl-auth-user",
  "hashicorp-tf-password",
  "kubernetes-secret-yaml",
  "nuget-config-password",
  "pkcs12-file",
  "private-key",
]);

/** Text that may precede the keyword. It only makes a match longer and never contains the secret. */
const BEFORE = String.raw`[\w.-]{0,50}?`;
/** Characters that must follow a value: quotes, spaces, or the end. We also accept a file extension. */
const AFTER = /\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)/g;

/** The text that most rules expect between a name and a value. */
const ASSIGNED = printRegex(
  parseRegex(String.raw`(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`),
);

export function emitRules(rules: readonly Rule[], commit: string): string {
  const generic = rules.find(({ id }) => id === "generic-api-key");
  const lists = generic?.allowlists ?? [];
  const stopwords = lists.flatMap((each) => each.stopwords);
  const [ordinary = ""] = lists
    .filter(({ regexTarget }) => regexTarget === "match")
    .flatMap((each) => each.regexes);
  return `${NOTICE}
/** The shape of a secret. */
export interface GitleaksRule {
  readonly id: string;
  /** In lower case: a match begins with one of these or, if \`near\` is true, has one nearby. */
  readonly keywords: readonly string[];
  readonly near?: true;
  readonly source: string;
  /** The group that captures the secret; default: the first group that matched, else the whole match. */
  readonly group?: number;
  /** A secret has more than this many bits of entropy per character. */
  readonly entropy?: number;
  /** Patterns of matches that are not secrets. */
  readonly allow?: readonly string[];
}

/** The gitleaks commit that the rules come from. @internal */
export const GITLEAKS_COMMIT = ${JSON.stringify(commit)};

/** Rules for which we have hand-written shapes instead. @internal */
export const GITLEAKS_OTHERS: readonly string[] = ${JSON.stringify([...OWN_SHAPES], undefined, 2)};

/** Matches the text between a name and its value. */
const ASSIGNED = String.raw\`${ASSIGNED}\`;

export const GITLEAKS_RULES: readonly GitleaksRule[] = [
${rules
  .filter(({ id }) => !OWN_SHAPES.has(id))
  .map(emitRule)
  .join("\n")}
];

/** Words that a generic key never contains. */
export const STOPWORDS: readonly string[] = ${JSON.stringify(stopwords.join(" "))}.split(" ");

/** Matches names that look like the name of a key but are not. */
export const ORDINARY_NAMES: string = String.raw\`${printRegex(parseRegex(ordinary))}\`;
`;
}

function emitRule({ id, regex = "", keywords, secretGroup, entropy, allowlists }: Rule): string {
  const tree = parseRegex(loosened(regex, id));
  const prefixes = prefixesOf(tree);
  // A repeated or named group holds only a part of the secret.
  const group = secretGroup ?? (repeatsGroup(tree) || regex.includes("(?P<") ? 0 : undefined);
  const allowed = allowlists
    .filter(({ regexTarget }) => regexTarget === undefined)
    .flatMap(({ regexes }) => regexes)
    .map((each) => `String.raw\`${printRegex(parseRegex(each))}\``);
  const fields = [
    `id: ${JSON.stringify(id)}`,
    `keywords: ${JSON.stringify(prefixes ?? keywords.map((each) => each.toLowerCase()))}`,
    ...(prefixes ? [] : ["near: true"]),
    `source: String.raw\`${printRegex(tree).replaceAll(ASSIGNED, "${ASSIGNED}")}\``,
    ...(group === undefined ? [] : [`group: ${group}`]),
    ...(entropy === undefined ? [] : [`entropy: ${entropy}`]),
    ...(allowed.length === 0 ? [] : [`allow: [${allowed.join(", ")}]`]),
  ];
  return `  { ${fields.join(", ")} },`;
}

function repeatsGroup(node: Node, inside = false): boolean {
  switch (node.type) {
    case "sequence":
      return node.parts.some((part) => repeatsGroup(part, inside));
    case "choice":
      return node.choices.some((each) => repeatsGroup(each, inside));
    case "repeat":
      return repeatsGroup(node.body, true);
    case "group":
      return (inside && node.capture) || repeatsGroup(node.body, inside);
    default:
      return false;
  }
}

/** Loosens a pattern so that it also finds a token within a file name, a URL or a longer word. */
function loosened(regex: string, id: string): string {
  const bare = regex.replaceAll(BEFORE, "");
  const start = bare.replace(/^((?:\(\?i\))?)\\b/, String.raw`$1(?<![A-Za-z0-9])`);
  // A value that is a key only by its name must stand alone, because source code contains many such names.
  return id === "generic-api-key" ? bare : start.replaceAll(AFTER, String.raw`(?!\w)`);
}
