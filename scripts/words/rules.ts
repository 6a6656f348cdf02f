/** A phrase that is hard to read, and advice for rewriting it. */
export interface WordRule {
  readonly found: RegExp;
  readonly instead: string;
}

/** Each pattern is matched against one sentence, so that a question may begin with "What" or "Where". */
export const WORD_RULES: readonly WordRule[] = [
  { found: /\b(?:nobody|somebody|whoever|no one)(?:'s)?\b/i, instead: "name the actor" },
  {
    found: /(?<!\bthere )\b(?:is|are|was|were|be) no(?! longer\b| more\b| way\b|t\b)\b/i,
    instead: 'write "is not a" or "has no"',
  },
  { found: /(?<!\bthere )\b(?:is|are|was|were) none\b(?! of\b)/i, instead: 'write "is not a" or "has no"' },
  {
    found: /\b(?:is|are|was|were|be|been|being) told\b(?! apart)/i,
    instead: "write receives, learns of or is notified",
  },
  { found: /^What (?!.*\?$).*[.:;]$/, instead: "name the thing that the clause describes" },
  { found: /^Where (?!.*\?$).*[.:;,]$/, instead: 'write "if" or "when"' },
  { found: /\b(?:is|are|was|were) to be\b/i, instead: 'write "must be" or "is"' },
  {
    found: /\b(?:thereof|thereby|herewith|wherewith|lest|naught|henceforth|whence|heed)\b/i,
    instead: "use a common word",
  },
];

/** The sentences of a text, without the marks of lists and headings. */
function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.?!:;])\s+/)
    .map((sentence) => sentence.replace(/^[\s\-*#>|\d.]+/, "").trim());
}

/** The rules that a text breaks, each with the sentence that breaks it. */
export function violationsIn(text: string): { readonly sentence: string; readonly instead: string }[] {
  return sentencesOf(text).flatMap((sentence) =>
    WORD_RULES.filter(({ found }) => found.test(sentence)).map(({ instead }) => ({ sentence, instead })),
  );
}
