/** The tool that expands summarised sections. Expanded sections stay expanded. */
export const OPEN_SECTIONS = "open_sections";

/** The tool that returns the full text of a section without expanding it. */
export const READ_SECTION = "read_section";

/** The text after a summary that names the tool to view the full section. */
export function summarySuffix(tool: string, path: string, children: readonly string[]): string {
  const how =
    children.length === 0
      ? `To view full content, call \`${tool}\` with key "${path}".`
      : `Call \`${tool}\` with key "${path}" to view full content including subsections: ${children.join(", ")}.`;
  return `\n\n---\n[This section is summarized. ${how}]`;
}
