import { randomUUID } from "node:crypto";
import { isTable, type ConfigTable, type ConfigValue } from "../../core/config-table.ts";
import { edited, type TableEdit } from "../../core/services/config/edit-table.ts";
import { canonical } from "../../core/services/config/view.ts";
import { ConfigWriteError } from "../../core/services/config/write-error.ts";
import { parseToml } from "../parse-toml.ts";

/** New tables get a section of their own, as Codex writes them. */
const SECTIONS = { inlineTableStart: 100 };

/**
 * Applies edits to a TOML text. Everything else stays as it is, comments too. The new text is parsed again: if it does
 * not have exactly the edited values, the edits are refused.
 */
export async function patchToml(source: string, text: string, edits: readonly TableEdit[]): Promise<string> {
  const before = await parseToml(source, text);
  const wanted = canonical(applied(before, edits));
  if (wanted === canonical(before)) return text;
  const marks = new Marks();
  const marked = edits.map((edit) => ({ ...edit, value: edit.value && marks.of(edit.value) }));
  for (const attempt of [() => patched(text, edits), async () => marks.fill(await patched(text, marked))]) {
    // The editor does not know every form. Another form of the same values may work.
    const written = await attempt().catch(() => undefined);
    if (written === undefined) continue;
    const found = await parseToml(source, written).catch(() => undefined);
    if (found && canonical(found) === wanted) return written;
  }
  throw ConfigWriteError.invalid(
    "the file has a form that this server cannot edit: change it with an editor",
  );
}

async function patched(text: string, edits: readonly TableEdit[]): Promise<string> {
  // The editor is loaded only if a client writes.
  const { parse, patch } = await import("@decimalturn/toml-patch");
  return patch(text, applied(parse(text) as ConfigTable, edits), SECTIONS);
}

function applied(table: ConfigTable, edits: readonly TableEdit[]): ConfigTable {
  return edits.reduce((below, edit) => edited(below, edit), table);
}

/** Lists of tables, which the editor cannot add: a text stands for each until the list takes its place. */
class Marks {
  readonly #lists = new Map<string, ConfigValue>();

  of(value: ConfigValue): ConfigValue {
    if (Array.isArray(value)) {
      if (!value.some((each) => typeof each === "object")) return value;
      const mark = `mark-${randomUUID()}`;
      this.#lists.set(mark, value);
      return mark;
    }
    if (!isTable(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.of(each)]));
  }

  fill(text: string): string {
    return text.replaceAll(/"(mark-[\da-f-]{36})"/g, (whole, mark: string) => {
      const list = this.#lists.get(mark);
      return list === undefined ? whole : inline(list);
    });
  }
}

/** A value in one line. */
function inline(value: ConfigValue): string {
  if (Array.isArray(value)) return `[${value.map((each) => inline(each as ConfigValue)).join(", ")}]`;
  if (!isTable(value)) return literal(value);
  const entries = Object.entries(value).map(([key, each]) => `${literal(key)} = ${inline(each)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** The escapes of JSON are escapes of TOML. TOML also escapes the character DEL. */
function literal(value: ConfigValue): string {
  return JSON.stringify(value).replaceAll("\u007F", String.raw`\u007F`);
}
