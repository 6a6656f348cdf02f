/**
 * Takes the whole blocks off the front of markdown that still grows: up to the last blank line that is not inside
 * fenced code. A list goes on after a blank line, so one block may be shown as two; it reads the same.
 */
export function takeBlocks(text: string): { readonly whole: string; readonly rest: string } {
  let fence: string | undefined;
  let offset = 0;
  let end = 0;
  for (const line of text.split(/(?<=\n)/)) {
    offset += line.length;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    else if (fence === undefined && line.trim() === "" && line.endsWith("\n")) end = offset;
  }
  return { whole: text.slice(0, end), rest: text.slice(end) };
}
