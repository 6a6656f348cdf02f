import { mapRefs, refsOf, type Surface } from "./type-node.ts";
import { printType } from "./type-print.ts";

/** Names of the hand-written part of the entry. */
const RESERVED = new Set(["NoParams", "ServerEvent", "Unknown", "UnknownEvent", "UnknownItem"]);

/**
 * Gives every declaration its public name.
 *
 * The current API (`v2/`) keeps the plain names. A type outside it with the same name is the same type
 * when it reads the same; otherwise it is the shape Codex's core uses and gets the prefix `Core`.
 */
export function publicNames(surface: Surface): Map<string, string> {
  const names = new Map<string, string>();
  for (const { key, name } of surface.values()) names.set(key, name);
  const twins = [...surface.values()].filter(({ key, name }) => key === name && surface.has(`v2/${name}`));
  const differing = new Set(
    twins.filter(({ key }) => bareText(surface, key) !== bareText(surface, `v2/${key}`)),
  );
  // A twin that refers to a differing twin differs too.
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
