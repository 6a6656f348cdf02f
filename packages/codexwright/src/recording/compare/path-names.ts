import { isJsonObject } from "../../rpc/json.ts";
import type { Classified } from "../exchanges.ts";

/** Returns the folders named in a recording: CODEX_HOME and the folders of its threads. */
export function pathsIn(messages: readonly Classified[]): Record<string, string> {
  const paths: Record<string, string> = {};
  const folders = new Set<string>();
  for (const { entry, method, kind } of messages) {
    const { result } = entry.message;
    if (kind !== "response" || entry.direction !== "in" || !isJsonObject(result)) continue;
    if (method === "initialize" && typeof result["codexHome"] === "string")
      paths["codexHome"] = result["codexHome"];
    if (method?.startsWith("thread/") && typeof result["cwd"] === "string") folders.add(result["cwd"]);
  }
  for (const [index, folder] of [...folders].entries())
    paths[index === 0 ? "cwd" : `cwd-${index + 1}`] = folder;
  return paths;
}

/** Replaces folders by their names, innermost folders first. */
export function pathNamer(paths: Readonly<Record<string, string>>): (text: string) => string {
  const folders = Object.entries(paths)
    .map(([name, path]) => ({ name, path: path.replace(/[/\\]+$/, "") }))
    .filter(({ path }) => /^(?:[/\\]|[A-Za-z]:)/.test(path))
    .toSorted((a, b) => b.path.length - a.path.length);
  const unique = folders.filter(
    ({ path }, index) => folders.findIndex((each) => each.path === path) === index,
  );
  if (unique.length === 0) return (text) => text;
  const names = new Map(unique.map(({ name, path }) => [path, `<${name}>`]));
  const escaped = unique.map(({ path }) => path.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const regexp = new RegExp(`(?<![\\w./-])(?:${escaped.join("|")})(?![\\w-]|\\.\\w)`, "g");
  return (text) => text.replaceAll(regexp, (path) => names.get(path) ?? path);
}
