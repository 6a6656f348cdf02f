import type { Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import type { ThreadsHost } from "../threads/threads-host.ts";
import { reviewerOf } from "../threads/thread-settings.ts";

/** The method that changes settings of a turn that runs. Like Codex without its experiments, it changes the reviewer only. */
export function turnSettingsMethods(host: ThreadsHost): Handlers {
  return {
    "turn/settings/update": ({ threadId, turnId, approvalsReviewer, ...others }) => {
      const thread = host.loaded.find(threadId);
      const reviewer = reviewerOf({ approvalsReviewer: approvalsReviewer ?? null });
      const { serviceTier, ...settings } = others;
      const wantsOther = Object.values(settings).some((each) => each !== null && each !== undefined);
      if (wantsOther || serviceTier !== undefined || reviewer === undefined) {
        throw new ResponseError(-32600, "turn settings updates require the step_model_switching feature");
      }
      if (thread.turn?.id !== turnId || thread.turn.ending) return { status: "targetUnavailable" };
      thread.turn.reviewer = reviewer;
      return { status: "applied" };
    },
  };
}
