import type { Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import type { EngineHost } from "../host.ts";

/** The methods that list models, their provider's capabilities, collaboration modes and permission profiles. */
export function modelMethods(host: EngineHost): Handlers {
  return {
    "model/list": async ({ cursor, limit }, { signal }) => {
      const from = cursor ? Number(cursor) : 0;
      if (!Number.isInteger(from)) throw new ResponseError(-32600, `invalid cursor: ${cursor}`);
      const models = await host.provider.models(signal);
      const data = models.slice(from, from + (limit ?? models.length));
      const next = from + data.length;
      return { data, nextCursor: next < models.length ? String(next) : null };
    },
    "modelProvider/capabilities/read": () => ({ imageGeneration: true, webSearch: true }),
    "collaborationMode/list": () => ({
      data: [
        { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
        { name: "Default", mode: "default", model: null, reasoning_effort: null },
      ],
    }),
    "permissionProfile/list": () => ({
      data: [":read-only", ":workspace", ":danger-full-access"].map((id) => ({
        id,
        description: null,
        allowed: true,
      })),
      nextCursor: null,
    }),
  };
}
