import { DIRECTIONS, methodsOf, responseOf } from "./methods.ts";
import { refsOf, type Surface } from "./type-node.ts";

/** Which types travel which way. A type may be in both. */
export interface Travel {
  readonly toClient: ReadonlySet<string>;
  readonly toServer: ReadonlySet<string>;
}

/** Follows every reference from the methods of each direction. */
export function travelOf(surface: Surface): Travel {
  const toClient = new Set<string>();
  const toServer = new Set<string>();
  for (const method of methodsOf(surface, "clientRequests")) {
    follow(method.params ? refsOf(method.params) : [], surface, toServer);
    follow([responseOf(method, surface)], surface, toClient);
  }
  for (const method of methodsOf(surface, "serverRequests")) {
    follow(method.params ? refsOf(method.params) : [], surface, toClient);
    follow([responseOf(method, surface)], surface, toServer);
  }
  for (const method of methodsOf(surface, "serverNotifications")) {
    follow(method.params ? refsOf(method.params) : [], surface, toClient);
  }
  // What no message refers to travels in the `data` of errors, which no schema links.
  const messages = new Set<string>(Object.values(DIRECTIONS));
  const rest = [...surface.keys()].filter((key) => !toServer.has(key) && !messages.has(key));
  follow(rest, surface, toClient);
  return { toClient, toServer };
}

function follow(names: readonly string[], surface: Surface, seen: Set<string>): void {
  for (const name of names) {
    const declaration = surface.get(name);
    if (!declaration || seen.has(name)) continue;
    seen.add(name);
    follow(refsOf(declaration.type), surface, seen);
  }
}
