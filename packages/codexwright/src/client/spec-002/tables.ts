import * as is from "../../rpc/options/check.ts";
import { needed, type Table } from "../../rpc/options/table.ts";
import { MODELS, THREADS } from "../thread/thread-tables.ts";
import { TURN_OPTIONS } from "../turn/options/turn-options.ts";
import type { ListModelsParams, ListThreadsParams, StartTurnParams, SteerTurnParams } from "./spec-types.ts";

export const LIST_THREADS: Table<ListThreadsParams> = { cursor: is.anything, ...THREADS };

export const LIST_MODELS: Table<ListModelsParams> = { cursor: is.anything, ...MODELS };

/** `input` is checked later, when it is converted to its wire form. */
export const START_TURN: Table<StartTurnParams> = {
  ...TURN_OPTIONS,
  threadId: needed(is.text),
  input: needed(is.anything),
};

export const STEER_TURN: Table<SteerTurnParams> = {
  threadId: needed(is.text),
  expectedTurnId: needed(is.text),
  input: needed(is.anything),
  clientUserMessageId: is.anything,
  responsesapiClientMetadata: is.anything,
  responsesapiClientMetadataPatch: is.anything,
  additionalContext: is.anything,
};
