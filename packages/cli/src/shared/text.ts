/**
 * The only list of characters that are never printed unchanged: controls, which a terminal executes;
 * direction marks, which reorder text; and invisible characters (format characters, fillers, tags, selectors,
 * separators, lone surrogates). It uses Unicode properties, so that it also covers future characters. Line
 * feeds and tabs are not on the list.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Terminal sequences, which are executed and not shown: CSI with its parameters, strings (titles, links, images) up to
 * their end, and short sequences. A string without an end does not match. A search takes linear time, unlike
 * `stripVTControlCharacters`, because the inner part of a sequence cannot contain a control character.
 */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\p{Cc}]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-OQ-WYZ\\`-~]/gu;

/**
 * Makes text safe for people to read: removes terminal sequences, and shows other characters of the list by
 * their code.
 */
export function clean(text: string): string {
  return escaped(text.replaceAll(SEQUENCE, "").replaceAll("\r\n", "\n"));
}

/**
 * Shows text that a user decides on, or that was executed, with nothing left out. A terminal would hide the
 * text between ESC and BEL, but a shell would run it.
 */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, picture);
}

/**
 * Shows the characters of the list by their code, except joiners inside an emoji or inside a word of a
 * writing system that needs them.
 */
export function escaped(text: string): string {
  return text.replaceAll(HIDDEN, (char, offset: number) =>
    joins(char, offset, text) ? char : picture(char),
  );
}

/**
 * Formats JSON that is also safe to print: characters of the list are escaped, which does not change the
 * value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(HIDDEN, (char) =>
    char.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** Splits a text into lines, without the empty lines at its end. */
export function linesOf(text: string): string[] {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return end === 0 ? [] : text.slice(0, end).split("\n");
}

/** Shows ESC as `␛`, and a character without a picture as its code, such as `<U+009B>`. */
function picture(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x24_00 + code);
  return code === 0x7f ? "␡" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u;
/** Writing systems whose words may contain joiners or non-joiners. */
const JOINED =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u;
const ZWNJ = "\u200C";
const ZWJ = "\u200D";
const KEYCAP = "\u20E3";

/**
 * Whether a character of the list is part of a visible character here. If two such characters follow each other, the
 * second is never part of one.
 */
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

/** Some of these writing systems contain characters that are on the list. */
function isJoined(char: string): boolean {
  return JOINED.test(char) && char.search(HIDDEN) === -1;
}

/** The character that ends at this offset. */
function charBefore(text: string, offset: number): string {
  return /[^]$/u.exec(text.slice(Math.max(0, offset - 2), offset))?.[0] ?? "";
}
