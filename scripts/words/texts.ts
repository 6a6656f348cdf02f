import ts from "typescript";

/** A piece of prose in a file, and the line where it begins. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

const TITLED = new Set(["test", "it", "describe", "verifies"]);

/**
 * Returns the comments of a source file, its test titles and, outside tests, its string literals of three
 * words or more.
 */
export function proseOfCode(source: string, options: { readonly test: boolean }): Prose[] {
  const file = ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const found: Prose[] = commentsOf(file).map(({ position, text }) => ({ line: lineOf(position), text }));
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && isProse(node, text, options.test))
      found.push({ line: lineOf(node.getStart()), text });
    node.forEachChild(visit);
  };
  visit(file);
  return found.toSorted((a, b) => a.line - b.line);
}

/** Returns the comments of a file. Adjacent line comments are joined into one text. */
function commentsOf(file: ts.SourceFile): { position: number; text: string }[] {
  const found = new Map<number, { position: number; end: number; text: string }>();
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(file.text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      const text = file.text
        .slice(pos, end)
        .replace(/^\/\*+|\*+\/$/g, "")
        .replaceAll(/^[ \t]*(?:\/\/|\*)/gm, "")
        .replaceAll(/```[^]*?```/g, "");
      found.set(pos, { position: pos, end, text });
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  const joined: { position: number; end: number; text: string }[] = [];
  for (const comment of [...found.values()].toSorted((a, b) => a.position - b.position)) {
    const last = joined.at(-1);
    const between = last && file.text.slice(last.end, comment.position);
    if (last && between !== undefined && /^\n[ \t]*$/.test(between)) {
      last.text += ` ${comment.text}`;
      last.end = comment.end;
    } else joined.push({ ...comment });
  }
  return joined;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => `X${span.literal.text}`).join("");
}

function isProse(node: ts.Node, text: string, test: boolean): boolean {
  if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)) return false;
  if (!test) return text.trim().split(/\s+/).length > 2;
  const call = node.parent;
  if (!ts.isCallExpression(call)) return false;
  const callee = call.expression.getText().split(/[.(]/)[0] ?? "";
  return TITLED.has(callee) && call.arguments.slice(0, 2).some((each) => each === node);
}

/** Returns the paragraphs, list items and table cells of a page, without its code. */
export function proseOfMarkdown(page: string): Prose[] {
  const withoutCode = page.replaceAll(/^(```|~~~)[^]*?^\1.*$/gm, (block) => block.replaceAll(/[^\n]/g, ""));
  const found: Prose[] = [];
  let current: Prose | undefined;
  for (const [index, line] of withoutCode.split("\n").entries()) {
    const begins = /^\s*(?:[-*#>|]|\d+\.)/.test(line);
    if (line.trim() === "" || begins) current = undefined;
    if (line.trim() === "") continue;
    if (begins && line.trim().startsWith("|")) {
      found.push(
        ...line.split("|").map((cell) => ({ line: index + 1, text: cell.replaceAll(/`[^`]*`/g, "X") })),
      );
      continue;
    }
    const text = line.replaceAll(/`[^`]*`/g, "X");
    if (current) found[found.length - 1] = current = { line: current.line, text: `${current.text} ${text}` };
    else found.push((current = { line: index + 1, text }));
  }
  return found;
}
