const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that reorder the text around them, or are not visible. They are shown by their codes. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes text safe inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(
      HIDDEN,
      (char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
    )
    .replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? "");
}

/** A link, if the address is one of the web. A tracker's `javascript:` address is not a link. */
export function link(text: string, url: string | null): string {
  const shown = escapeHtml(text);
  if (url === null || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return shown;
  return `<a rel="noopener noreferrer" href="${escapeHtml(new URL(url).href)}">${shown}</a>`;
}

/** A table below a heading; nothing if it has no rows. The cells must be safe. */
export function table(
  heading: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return "";
  const head = columns.map((name) => `<th>${escapeHtml(name)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  return `<h2>${escapeHtml(heading)}</h2>\n<table><tr>${head}</tr>\n${body}</table>`;
}
