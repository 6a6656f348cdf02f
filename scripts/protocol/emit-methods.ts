import { methodsOf, responseOf, type Direction, type Method } from "./methods.ts";
import type { Surface } from "./type-node.ts";

const DOCS: Record<Direction, string> = {
  clientRequests:
    "Requests that a client may send, by method. The connection sends `params: {}` if there are none, because most methods reject missing params.",
  clientNotifications: "Notifications that a client may send, by method.",
  serverRequests:
    "Requests that the server may send, by method. Includes the legacy approvals from before threads.",
  serverNotifications: "Notifications that the server may send: method → params.",
};

const INTERFACES: Record<Direction, string> = {
  clientRequests: "ClientRequests",
  clientNotifications: "ClientNotifications",
  serverRequests: "ServerRequests",
  serverNotifications: "ServerNotifications",
};

/** Prints the four maps. Experimental methods get the tag. */
export function emitMethods(stable: Surface, surface: Surface, names: ReadonlyMap<string, string>): string {
  const directions = Object.keys(INTERFACES) as Direction[];
  const maps = directions.map((direction) => {
    const known = new Set(methodsOf(stable, direction).map((method) => method.name));
    const lines = methodsOf(surface, direction).map((method) => {
      const mark = known.has(method.name) ? "" : "  /** @experimental */\n";
      return `${mark}  ${JSON.stringify(method.name)}: ${printEntry(method, direction, surface, names)};\n`;
    });
    return `/** ${DOCS[direction]} */\nexport interface ${INTERFACES[direction]} {\n${lines.join("")}}\n`;
  });
  return `import type { NoParams } from "./open.ts";\nimport type * as P from "./types.gen.ts";\n\n${maps.join("\n")}`;
}

function printEntry(
  method: Method,
  direction: Direction,
  surface: Surface,
  names: ReadonlyMap<string, string>,
): string {
  const params = printParams(method, names);
  if (!direction.endsWith("Requests")) return params;
  return `{ params: ${params}; result: P.${names.get(responseOf(method, surface))} }`;
}

function printParams(method: Method, names: ReadonlyMap<string, string>): string {
  if (method.params === undefined) return "NoParams";
  const name = method.params.kind === "ref" ? names.get(method.params.name) : undefined;
  if (name === undefined) throw new Error(`${method.name}: params are not a declared type`);
  return method.optional ? `P.${name} | undefined` : `P.${name}`;
}
