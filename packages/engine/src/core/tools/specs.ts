import { isJsonObject } from "codexwright/internal";
import type { Platform } from "../ports.ts";
import { keyOf, offeredTools, toolsOf } from "./router.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

interface Group extends Record<string, unknown> {
  description: string;
  readonly tools: WireObject[];
}

/** The longest name of a function that providers accept. */
const LONGEST_NAME = 64;

/** The tools of a turn in the form of the Responses API, always in the same order. */
export function toolSpecs(run: TurnRun): WireObject[] {
  const flat = run.host.provider.namespaces === false ? flatNameOf(run.host.platform) : undefined;
  const specs: WireObject[] = [];
  const groups = new Map<string, Group>();
  for (const handler of offeredTools(run)) {
    const spec = handler.spec(run);
    if (!spec) continue;
    const { namespace, namespaceDescription } = handler;
    if (namespace === undefined) specs.push(spec);
    else if (flat) specs.push({ ...spec, name: flat(namespace, handler.name) });
    else {
      const known = groups.get(namespace);
      const group = known ?? { type: "namespace", name: namespace, description: "", tools: [] };
      if (!known) specs.push(group);
      groups.set(namespace, group);
      group.description ||= namespaceDescription ?? "";
      group.tools.push(spec);
    }
  }
  return specs;
}

/** The name of a tool of a namespace for providers without namespaces. */
export function flatNameOf(platform: Platform): (namespace: string, name: string) => string {
  return (namespace, name) => {
    const whole = `${namespace}__${name}`;
    const safe = whole.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
    if (safe === whole && whole.length <= LONGEST_NAME) return whole;
    return `${safe.slice(0, LONGEST_NAME - 9)}_${platform.digest("sha1", whole).slice(0, 8)}`;
  };
}

/** Returns a call with the namespace that the provider does not know. Other items are returned as they are. */
export function withNamespace(run: TurnRun, item: WireObject): WireObject {
  if (run.host.provider.namespaces !== false || !textOf(item["type"]).endsWith("_call")) return item;
  if (!isJsonObject(item) || typeof item["namespace"] === "string") return item;
  const flat = flatNameOf(run.host.platform);
  const tools = toolsOf(run);
  if (tools.some((tool) => keyOf(tool) === keyOf({ name: textOf(item["name"]), namespace: null })))
    return item;
  const found = tools.find(({ namespace, name }) => namespace && flat(namespace, name) === item["name"]);
  return found ? { ...item, name: found.name, namespace: found.namespace } : item;
}
