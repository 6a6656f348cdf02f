import { DIRECTIONS, methodsOf, responseOf } from "./methods.ts";
import { refsOf, type Surface } from "./type-node.ts";

/** The types that clients send and that servers send. A type can be in both sets. */
export interface Travel {
  readonly toClient: ReadonlySet<string>;
  readonly toServer: ReadonlySet<string>;
}

/** Follows all type references from the methods of each direction. */
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
  // Types that no message refers to are sent in the `data` of errors. The schemas do not link errors to these types.
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
