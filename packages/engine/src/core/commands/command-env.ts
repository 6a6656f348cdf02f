import type { EngineHost } from "../host.ts";

/** Variables that keep the output of programs plain, so that a model can read it. */
const PLAIN: Readonly<Record<string, string>> = {
  NO_COLOR: "1",
  TERM: "dumb",
  LANG: "C.UTF-8",
  LC_CTYPE: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  COLORTERM: "",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  CODEX_CI: "1",
};

/** The variables that say which thread a command runs for. */
export function threadEnv(host: Pick<EngineHost, "version">, thread: ThreadIds): Record<string, string> {
  return {
    CODEX_THREAD_ID: thread.id,
    CODEX_SESSION_ID: thread.record.sessionId,
    CODEX_VERSION: host.version,
  };
}

/** The variables of a model's command. */
export function toolEnv(
  host: Pick<EngineHost, "version">,
  thread: ThreadIds,
  callId: string,
): Record<string, string> {
  return { ...PLAIN, ...threadEnv(host, thread), CODEX_TOOL_CALL_ID: callId };
}

interface ThreadIds {
  readonly id: string;
  readonly record: { readonly sessionId: string };
}
