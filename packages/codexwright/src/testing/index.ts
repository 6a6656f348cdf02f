export { FakeAppServer, fakeAppServer, type FakeAppServerOptions } from "./fake-app-server.ts";
export type { FakeStep } from "./fake-script.ts";
export { gate, type Gate } from "./model-gate.ts";
export type { ModelRequest, WireObject } from "./model-request.ts";
export {
  applyPatch,
  exec,
  fail,
  hang,
  outputItem,
  reasoning,
  reply,
  streamFail,
  toolCall,
  truncate,
  usage,
  type CallOptions,
  type Deltas,
  type ExecOptions,
  type FailOptions,
  type ItemOptions,
  type ModelItem,
  type ModelResponse,
  type ModelScript,
  type ModelStep,
  type ModelUsage,
  type ReasoningOptions,
  type ReplyOptions,
  type TruncateOptions,
} from "./model-steps.ts";
export {
  realAppServer,
  type RealAppServer,
  type RealAppServerClientOptions,
  type RealAppServerOptions,
} from "./real-app-server.ts";
export {
  ModelClosedError,
  scriptedModel,
  type ScriptedModel,
  type UnexpectedModelCall,
} from "./scripted-model.ts";
