import { jsonSchema } from "../../schema/json-schema.ts";
import { log, type Log } from "./log.ts";
import { slice, type Slice } from "./slice.ts";

/** A run event that sessions store: `prompt.rendered`, `thread.started`, `tool.invoked` or `prompt.executed`. */
export type RunRecord = Readonly<Record<string, unknown>> & { readonly type: string; readonly runId: string };

/** The events of all runs that used this session. Rollbacks do not affect this log. */
export const RunLog: Log<RunRecord, RunRecord> = log(
  "codexwright/runs",
  jsonSchema<RunRecord>({
    type: "object",
    properties: { type: { type: "string" }, runId: { type: "string" } },
    required: ["type", "runId"],
  }),
);

/** Total usage of all runs that used a session. */
export interface SessionUsage {
  readonly runs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

const number = { type: "number" } as const;

/** Adds up the usage of all runs that used this session. The usage of a run is added when the run ends. */
export const UsageSlice: Slice<SessionUsage> = slice("codexwright/usage", {
  schema: jsonSchema<SessionUsage>({
    type: "object",
    properties: { runs: number, inputTokens: number, outputTokens: number, totalTokens: number },
    required: ["runs", "inputTokens", "outputTokens", "totalTokens"],
    additionalProperties: false,
  }),
  initial: { runs: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  policy: "log",
  on: (on) => [
    on(RunLog.append, (state, record) => {
      if (record.type !== "prompt.executed") return state;
      const used = (record["usage"] ?? {}) as Partial<SessionUsage>;
      return {
        runs: state.runs + 1,
        inputTokens: state.inputTokens + (used.inputTokens ?? 0),
        outputTokens: state.outputTokens + (used.outputTokens ?? 0),
        totalTokens: state.totalTokens + (used.totalTokens ?? 0),
      };
    }),
  ],
});
