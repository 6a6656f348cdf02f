import { jsonSchema } from "../../schema/json-schema.ts";
import { event, type EventType } from "./event.ts";
import { RunLog, UsageSlice } from "./run-log.ts";
import { slice, type Slice } from "./slice.ts";
import { ThreadsSlice } from "./threads.ts";
import * as is from "../../rpc/options/check.ts";

/** Shows a section in full or as its summary. */
export type Visibility = "full" | "summary";

export const VISIBILITY: is.Check<Visibility> = is.oneOf("full", "summary");

/** Visibility overrides by prompt id, then by section path. */
export type VisibilityOverrides = Readonly<Record<string, Readonly<Record<string, Visibility>>>>;

/** The payload of `SetVisibility`. */
export interface VisibilityChange {
  readonly promptId: string;
  /** By section path. Null removes an override. */
  readonly sections: Readonly<Record<string, Visibility | null>>;
}

/** Expands and collapses sections of a prompt. */
export const SetVisibility: EventType<VisibilityChange, VisibilityChange> = event(
  "codexwright/setVisibility",
  jsonSchema<VisibilityChange>({
    type: "object",
    properties: {
      promptId: { type: "string" },
      sections: { type: "object", additionalProperties: { enum: ["full", "summary", null] } },
    },
    required: ["promptId", "sections"],
    additionalProperties: false,
  }),
);

/** The sections that the model or the caller has expanded or collapsed. */
export const VisibilitySlice: Slice<VisibilityOverrides> = slice("codexwright/visibility", {
  schema: jsonSchema<VisibilityOverrides>({
    type: "object",
    additionalProperties: { type: "object", additionalProperties: { enum: ["full", "summary"] } },
  }),
  initial: {},
  on: (on) => [
    on(SetVisibility, (state, { promptId, sections }) => {
      const merged = Object.entries({ ...state[promptId], ...sections });
      const kept = merged.filter((entry): entry is [string, Visibility] => entry[1] !== null);
      return { ...state, [promptId]: Object.fromEntries(kept) };
    }),
  ],
});

/** Slices that every session has. */
export const BUILT_IN: readonly Slice[] = [VisibilitySlice, ThreadsSlice, RunLog, UsageSlice];
