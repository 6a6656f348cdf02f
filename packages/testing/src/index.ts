export { FakeAppServer, fakeAppServer, type FakeAppServerOptions } from "./fake-app-server.ts";
export type { DialectName } from "./fake/dialects/dialect.ts";
export type { Fault, FaultKind } from "./fake/faults/faults.ts";
export type { CommandIo, CommandOutcome, CommandScript } from "./fake/scripted-shell.ts";
export type { FakeMcpContext, FakeMcpServer, FakeMcpTool } from "./fake/mcp-servers.ts";
export { gate, type Gate } from "./model-gate.ts";
export type { ModelRequest, WireObject } from "./model-request.ts";
export {
  applyPatch,
  exec,
  fail,
  hang,
  mcpCall,
  outputItem,
  plan,
  reasoning,
  reply,
  streamFail,
  subAgent,
  toolCall,
  truncate,
  usage,
  userInput,
  type CallOptions,
  type Deltas,
  type ExecOptions,
  type FailOptions,
  type ItemOptions,
  type McpCallOptions,
  type ModelItem,
  type ModelResponse,
  type ModelScript,
  type ModelStep,
  type ModelUsage,
  type PlanOptions,
  type ReasoningOptions,
  type ReplyOptions,
  type ToolOutcome,
  type TruncateOptions,
} from "./model-steps.ts";
export type { RealAppServerAuth } from "./real-app-server-process.ts";
export {
  realAppServer,
  type ListeningAppServer,
  type ListeningAppServerOptions,
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
export * from "./conformance/index.ts";
export { WireScript, wireScript, type WireScriptOptions } from "./wire-script.ts";
export type { WireStep } from "./wire-script-steps.ts";
