import type { Handlers } from "codexwright/endpoint";
import type { ClientRequests } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";

type Method = keyof ClientRequests;

/** The methods that this server refuses, by the reason. The lists among them are empty instead: see `emptyLists`. */
const REFUSED: Readonly<Record<string, readonly Method[]>> = {
  "this server has no ChatGPT accounts": [
    "account/rateLimitResetCredit/consume",
    "account/sendAddCreditsNudgeEmail",
    "account/usage/read",
    "account/workspaceMessages/read",
    "accountSession/switch",
  ],
  "this server can log in with an API key only": [
    "account/bedrock/checkGovCloudRequirements",
    "account/bedrock/discover",
    "account/bedrock/setup",
    "account/gatewayOAuth/cancel",
    "account/gatewayOAuth/login",
    "account/gatewayOAuth/read",
    "account/gcp/setup",
    "userVerification/cancel",
    "userVerification/delete",
    "userVerification/enroll",
    "userVerification/status",
    "userVerification/verify",
  ],
  "this server has no apps and no plugins": [
    "app/read",
    "marketplace/add",
    "marketplace/remove",
    "marketplace/upgrade",
    "plugin/install",
    "plugin/read",
    "plugin/reconcile",
    "plugin/share/checkout",
    "plugin/share/delete",
    "plugin/share/save",
    "plugin/share/updateTargets",
    "plugin/skill/read",
    "plugin/uninstall",
  ],
  "this server has no remote control": [
    "remoteControl/client/revoke",
    "remoteControl/disable",
    "remoteControl/enable",
    "remoteControl/pairing/start",
    "remoteControl/pairing/status",
  ],
  "this server has no realtime conversations": [
    "thread/realtime/appendAudio",
    "thread/realtime/appendSpeech",
    "thread/realtime/appendText",
    "thread/realtime/listVoices",
    "thread/realtime/start",
    "thread/realtime/stop",
  ],
  "this server has no sandbox for Windows": ["windowsSandbox/readiness", "windowsSandbox/setupStart"],
  "this server sends no feedback": ["feedback/save", "feedback/upload"],
  "this server has no memories": [
    "memory/reset",
    "memory/status",
    "thread/memory/read",
    "thread/memoryMode/set",
  ],
  "this server runs commands on its own machine only": [
    "environment/add",
    "environment/info",
    "environment/status",
  ],
  "this server imports nothing from other agents": [
    "externalAgentConfig/import",
    "externalAgentConfig/import/recordHistory",
  ],
};

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries(REFUSED).flatMap(([reason, methods]) => methods.map((method) => [method, reason])),
);

/** Returns the error for a method that this server refuses, and `undefined` for any other method. */
export function refusalOf(method: string): ResponseError | undefined {
  const reason = REASONS.get(method);
  return reason === undefined ? undefined : notSupported(`${method} is not supported: ${reason}`);
}

/** The error for everything that this server knows but does not do. */
export function notSupported(message: string): ResponseError {
  return new ResponseError(-32600, message, { code: "not_supported" });
}

/** The lists of features that this server does not have. */
export function emptyLists(): Handlers {
  const page = { data: [], nextCursor: null };
  return {
    "accountSession/list": () => ({ activeSessionId: null, sessions: [] }),
    "app/installed": () => ({ apps: [] }),
    "app/list": () => page,
    "externalAgentConfig/detect": () => ({ items: [], connectors: [] }),
    "externalAgentConfig/import/readHistories": () => ({ data: [], connectors: [] }),
    "plugin/installed": () => ({ marketplaces: [], marketplaceLoadErrors: [] }),
    "plugin/list": () => ({ marketplaces: [], marketplaceLoadErrors: [], featuredPluginIds: [] }),
    "plugin/search": () => page,
    "plugin/share/list": () => ({ data: [] }),
    "project/list": () => page,
    "remoteControl/client/list": () => page,
  };
}
