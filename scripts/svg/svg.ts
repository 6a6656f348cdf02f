/** Functions that write SVG. Elements are strings, so a picture is a pure function of its data. */

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with its children, which are elements or text from {@link escaped}. */
export function element(name: string, attributes: Attributes = {}, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(typeof value === "number" ? short(value) : String(value))}"`)
    .join("");
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join("")}</${name}>`;
}

export interface TextOptions extends Attributes {
  readonly class?: string | undefined;
  readonly "text-anchor"?: "start" | "middle" | "end";
}

export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  return element("text", { x, y, ...options }, escaped(content));
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** A name for screen readers and tooltips. */
  readonly title: string;
  /** The content in words, for readers who do not see it. */
  readonly description: string;
  readonly style: string;
  readonly body: readonly string[];
}

/** Returns a whole SVG file. Screen readers read the title and the description. */
export function svg({ width, height, title, description, style, body }: Picture): string {
  const size = `viewBox="0 0 ${short(width)} ${short(height)}" width="${short(width)}" height="${short(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title description">`,
    element("title", { id: "title" }, escaped(title)),
    element("desc", { id: "description" }, escaped(description)),
    element("style", {}, style),
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

/**
 * Escapes text for XML. Control characters become spaces, because XML does not allow them, not even escaped.
 */
export function escaped(content: string): string {
  return content
    .replaceAll(/\p{Cc}/gu, (character) => (character === "\n" ? character : " "))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Rounds to a hundredth of a pixel, which is precise enough and keeps files small. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Breaks a text between words into lines of limited length. */
export function wrapped(content: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
