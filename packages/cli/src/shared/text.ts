/**
 * The one list of what is never printed as it is: what a terminal obeys (controls), what orders text anew (marks of
 * direction), and what nobody can see (format characters, fillers, tags, selectors, separators, half pairs). By the
 * properties that Unicode gives them, so that it holds for characters that are yet to come. Line feeds and tabs are
 * not on it.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * What a terminal takes for a command and does not show: CSI with its parameters, strings (titles, links, images) up to
 * their end, and the short ones. Takes time in proportion to the text, which `stripVTControlCharacters` does not: no
 * part matches a control, so that each is looked at for one sequence only. A string without its end is not one.
 */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\p{Cc}]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-OQ-WYZ\\`-~]/gu;

/** Text for people: terminal sequences are taken out, and the rest of what is on the list is shown by its number. */
export function clean(text: string): string {
  return escaped(text.replaceAll(SEQUENCE, "").replaceAll("\r\n", "\n"));
}

/**
 * Text that somebody decides on, or that was executed: nothing of it is left out. What stands between ESC and BEL a
 * terminal would not show, and a shell would run.
 */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, picture);
}

/** Shows what is on the list, but for the joiners that make one emoji of several, or a word of the scripts that need them. */
export function escaped(text: string): string {
  return text.replaceAll(HIDDEN, (char, offset: number) =>
    joins(char, offset, text) ? char : picture(char),
  );
}

/** JSON that is safe to print as well: what is on the list is escaped, which means the same. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(HIDDEN, (char) =>
    char.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** The lines of a text, without the empty ones at its end. */
export function linesOf(text: string): string[] {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return end === 0 ? [] : text.slice(0, end).split("\n");
}

/** `␛` for ESC, `<U+009B>` for what has no picture. */
function picture(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x24_00 + code);
  return code === 0x7f ? "␡" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u;
/** Scripts whose words have joiners, or the opposite, between their letters. */
const JOINED =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u;
const ZWNJ = "\u200C";
const ZWJ = "\u200D";
const KEYCAP = "\u20E3";

/** Whether one of the characters on the list is part of what is seen, where it stands. Two in a row never are. */
function joins(char: string, offset: number, text: string): boolean {
  const isSelector = char === "\uFE0F" || char === "\uFE0E";
  if (!isSelector && char !== ZWJ && char !== ZWNJ) return false;
  const before = charBefore(text, offset);
  const after = String.fromCodePoint(text.codePointAt(offset + 1) ?? 0);
  if (isSelector) return EMOJI.test(before) || after === KEYCAP;
  if (isJoined(before) && isJoined(after)) return true;
  const base = before === "\uFE0F" ? charBefore(text, offset - 1) : before;
  return char === ZWJ && EMOJI.test(base) && EMOJI.test(after);
}

/** Some of these scripts have characters that are on the list themselves. */
function isJoined(char: string): boolean {
  return JOINED.test(char) && char.search(HIDDEN) === -1;
}

/** The character that ends at this place. */
function charBefore(text: string, offset: number): string {
  return /[^]$/u.exec(text.slice(Math.max(0, offset - 2), offset))?.[0] ?? "";
}
