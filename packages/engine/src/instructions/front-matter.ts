/** The name and the description of a skill, from the beginning of its SKILL.md. */
export interface FrontMatter {
  readonly name: string | undefined;
  readonly description: string;
  readonly shortDescription: string | undefined;
}

const LONGEST_NAME = 64;
/** The parser needs time that grows with the square of the size. */
const LONGEST = 8 * 1024;

/** Reads the YAML between the first two lines `---`. Returns a problem if there is none, or if it cannot be used. */
export async function frontMatter(text: string): Promise<FrontMatter | string> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === "---");
  if (lines[0]?.trim() !== "---" || end < 2) return "missing YAML frontmatter delimited by ---";
  if (lines.slice(1, end).join("\n").length > LONGEST) {
    return `the frontmatter is longer than ${LONGEST} characters`;
  }
  const table = await tableOf(lines.slice(1, end));
  if (typeof table === "string") return table;
  const name = lineOf(table["name"]);
  if (name !== undefined && Array.from(name).length > LONGEST_NAME) {
    return `invalid name: exceeds maximum length of ${LONGEST_NAME} characters`;
  }
  const description = lineOf(table["description"]);
  if (description === undefined) return "missing field `description`";
  const { metadata } = table;
  const more = typeof metadata === "object" && metadata !== null ? (metadata as Record<string, unknown>) : {};
  return { name, description, shortDescription: lineOf(more["short-description"]) };
}

async function tableOf(lines: readonly string[]): Promise<Record<string, unknown> | string> {
  // The parser is loaded only if there is a skill.
  const { parse } = await import("yaml");
  // People write `description: Use this for AWS: ECS`, which is not YAML.
  for (const text of [lines.join("\n"), lines.map((line) => quoted(line)).join("\n")]) {
    try {
      const table: unknown = parse(text, { maxAliasCount: 16, logLevel: "error", schema: "failsafe" });
      if (typeof table === "object" && table !== null && !Array.isArray(table)) {
        return table as Record<string, unknown>;
      }
    } catch {
      // The next form may be valid.
    }
  }
  return "invalid YAML";
}

function quoted(line: string): string {
  const [, key, value = ""] = /^(\s*[\w-]+:\s+)([^'"|>\s].*)$/.exec(line) ?? [];
  return key === undefined ? line : `${key}'${value.trim().replaceAll("'", "''")}'`;
}

/** The value as one line, or `undefined` if it is empty or not a text. */
function lineOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.trim().replaceAll(/\s+/g, " ") || undefined;
}
