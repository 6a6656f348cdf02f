import { isDeeperThan, isJsonObject } from "codexwright/internal";
import type { Handlers } from "codexwright/endpoint";
import type { RemoteControlStatusReadResponse } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { DEEPEST } from "../depth.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";

/** `thread/inject_items`, and empty results for features that this server does not have. */
export function otherMethods(host: ThreadsHost): Handlers {
  return {
    "hooks/list": ({ cwds }) => ({
      data: (cwds?.length ? cwds : [host.defaults.cwd]).map((cwd) => ({
        cwd,
        hooks: [],
        warnings: [],
        errors: [],
      })),
    }),
    "thread/goal/get": ({ threadId }) => {
      host.loaded.check(threadId, "thread");
      return { goal: null };
    },
    "thread/goal/clear": ({ threadId }) => {
      host.loaded.check(threadId, "thread");
      return { cleared: false };
    },
    "thread/inject_items": ({ threadId, items }) => {
      const thread = host.loaded.find(threadId);
      if (items.length === 0) throw new ResponseError(-32600, "items must not be empty");
      const wrong = items.findIndex((item) => !isJsonObject(item) || typeof item["type"] !== "string");
      if (wrong !== -1) {
        throw new ResponseError(
          -32600,
          `items[${wrong}] is not a valid response item: missing field \`type\``,
        );
      }
      const deep = items.findIndex((item) => isDeeperThan(item, DEEPEST));
      if (deep !== -1) {
        throw new ResponseError(
          -32600,
          `items[${deep}] is not a valid response item: recursion limit exceeded`,
        );
      }
      thread.remember(...(items as Readonly<Record<string, unknown>>[]));
      thread.save();
      return {};
    },
    "remoteControl/status/read": () =>
      ({
        status: "disabled",
        serverName: host.platform.hostname,
        installationId: host.installationId,
        environmentId: null,
      }) satisfies RemoteControlStatusReadResponse,
    "mock/experimentalMethod": ({ value }) => ({ echoed: value ?? null }),
  };
}
