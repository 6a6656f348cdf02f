import { mapRefs, refsOf, type Surface } from "./type-node.ts";
import { printType } from "./type-print.ts";

/** Names that the hand-written part of the entry uses. */
const RESERVED = new Set(["NoParams", "ServerEvent", "Unknown", "UnknownEvent", "UnknownItem"]);

/**
 * Assigns a public name to every declaration.
 *
 * Types of the current API (`v2/`) keep their plain names. If a type outside it has the same name and the
 * same text, it is the same type. Otherwise it is the shape that Codex's core uses, and gets the prefix
 * `Core`.
 */
export function publicNames(surface: Surface): Map<string, string> {
  const names = new Map<string, string>();
  for (const { key, name } of surface.values()) names.set(key, name);
  const twins = [...surface.values()].filter(({ key, name }) => key === name && surface.has(`v2/${name}`));
  const differing = new Set(
    twins.filter(({ key }) => bareText(surface, key) !== bareText(surface, `v2/${key}`)),
  );
  // Twins are two types with the same name, one in `v2/` and one outside. Twins also differ if they refer to
  // twins that differ. Repeat until nothing changes.
  for (let size = -1; size !== differing.size;) {
    size = differing.size;
    const keys = new Set([...differing].map(({ key }) => key));
    for (const twin of twins) if (refsOf(twin.type).some((name) => keys.has(name))) differing.add(twin);
  }
  for (const { key, name } of differing) names.set(key, `Core${name}`);
  const taken = [...names.values()].filter((name) => RESERVED.has(name));
  if (taken.length > 0) throw new Error(`Codex now has types that we named ourselves: ${taken.join(", ")}`);
  return names;
}

function bareText(surface: Surface, key: string): string {
  return printType(mapRefs(surface.get(key)!.type, (name) => name.replace(/^.*\//, "")));
}
