/** The tool that asks for sections to be shown whole from now on. */
export const OPEN_SECTIONS = "open_sections";

/** The tool that shows a section once. */
export const READ_SECTION = "read_section";

/** What follows a summary: how to see the rest. */
export function summarySuffix(tool: string, path: string, children: readonly string[]): string {
  const how =
    children.length === 0
      ? `To view full content, call \`${tool}\` with key "${path}".`
      : `Call \`${tool}\` with key "${path}" to view full content including subsections: ${children.join(", ")}.`;
  return `\n\n---\n[This section is summarized. ${how}]`;
}
