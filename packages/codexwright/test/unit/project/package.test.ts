import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { VERSION } from "codexwright";
import { verifies } from "../../../../../test/support/verifies.ts";

const LIBRARY = path.resolve(import.meta.dirname, "../../..");

interface Manifest {
  readonly version: string;
  readonly engines: object;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: object;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { optional: boolean }>>;
}

const manifest = JSON.parse(readFileSync(path.join(LIBRARY, "package.json"), "utf8")) as Manifest;

verifies("package.exports", "the entries are these, and each of them can be imported", async () => {
  const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
  expect(entries.join(" ")).toBe(
    ". ./client ./protocol ./rpc ./stdio ./websocket ./unix ./endpoint ./server ./agent ./workspace ./recording ./internal ./internal/node",
  );
  for (const entry of entries) {
    const module = (await import(path.posix.join("codexwright", entry))) as object;
    expect(Object.keys(module).length).toBeGreaterThan(0);
  }
});

verifies("package.exports", "the README that npm shows has a row for each entry", () => {
  const readme = readFileSync(path.join(LIBRARY, "README.md"), "utf8");
  const rows = Array.from(readme.matchAll(/^\| `(codexwright[^`]*)`/gm), ([, entry]) => entry);
  const entries = Object.keys(manifest.exports).filter((entry) => entry !== "./package.json");
  expect(new Set(rows)).toEqual(new Set(entries.map((entry) => path.posix.join("codexwright", entry))));
});

verifies("package.exports", "the public names of each entry are these", async () => {
  const names = async (entry: string): Promise<string> =>
    Object.keys((await import(entry)) as object)
      .toSorted()
      .join(" ");
  expect(await names("codexwright")).toMatchInlineSnapshot(
    `"AbortedError ActiveWriterError ApprovalRequiredError AuthFailedError CodexClient CodexError CodexNotFoundError ConfigConflictError ConnectionClosedError CrashLoopError InputRequiredError InvalidArgumentError MissingDependencyError NoActiveTurnError NoRolloutError NotConnectedError OutputInvalidError OutputLostError OverloadedError RealtimeFailedError RequestError RequestTimeoutError ResourceExhaustedError ResponseError RpcError StartupTimeoutError StdinClosedError Thread ThreadArchivedError ThreadBusyError ThreadFold ThreadNotFoundError Turn TurnFailedError TurnInterruptedError TurnNotStartedError TurnNotSteerableError TurnRetryingError TurnTimeoutError UnexpectedAnswerError UnsupportedError VERSION default initialThreadState jsonSchema ok reduceThread scriptOf stdio tool"`,
  );
  expect(await names("codexwright/client")).toMatchInlineSnapshot(
    `"AbortedError ActiveWriterError ApprovalRequiredError AuthFailedError CodexClient CodexError ConfigConflictError ConnectionClosedError CrashLoopError InputRequiredError InvalidArgumentError MissingDependencyError NoActiveTurnError NoRolloutError NotConnectedError OutputInvalidError OutputLostError OverloadedError RealtimeFailedError RequestError RequestTimeoutError ResourceExhaustedError ResponseError RpcError StartupTimeoutError StdinClosedError Thread ThreadArchivedError ThreadBusyError ThreadFold ThreadNotFoundError Turn TurnFailedError TurnInterruptedError TurnNotStartedError TurnNotSteerableError TurnRetryingError TurnTimeoutError UnexpectedAnswerError UnsupportedError VERSION initialThreadState jsonSchema ok reduceThread scriptOf tool"`,
  );
  expect(await names("codexwright/protocol")).toMatchInlineSnapshot(
    `"CODEX_VERSION EXPERIMENTAL_NOTIFICATIONS EXPERIMENTAL_VALUES METHODS REMOVED_METHODS SAMPLED_VERSIONS atLeast notificationTraits requestTraits serverRequestTraits"`,
  );
  expect(await names("codexwright/rpc")).toMatchInlineSnapshot(
    `"AbortedError AuthFailedError CodexError Connection ConnectionClosedError EventQueue InvalidArgumentError LineDecoder MissingDependencyError OverloadedError RequestError RequestTimeoutError ResourceExhaustedError ResponseError RpcError UnexpectedAnswerError classify memoryPair tap"`,
  );
  expect(await names("codexwright/stdio")).toMatchInlineSnapshot(`"CodexNotFoundError findCodex stdio"`);
  expect(await names("codexwright/websocket")).toMatchInlineSnapshot(`"websocket"`);
  expect(await names("codexwright/unix")).toMatchInlineSnapshot(`"unixSocket"`);
  expect(await names("codexwright/server")).toMatchInlineSnapshot(`"Endpoint ListenError listen"`);
  expect(await names("codexwright/agent")).toMatchInlineSnapshot(
    `"ADAPTER AgentError BudgetExceededError BudgetMeter CodexAgent Deadline DeadlineExceededError DeadlockError ExpansionRequiredError FileNotFoundError Files PromptOutputError PromptRenderError ResourceFailedError Resources Run RunLog Session SessionConflictError SessionInvalidError SetVisibility StoreThread ThreadsSlice ToolBridge ToolFailure UsageSlice VisibilitySlice createSession deadlineNudge definePrompt event filesExist jsonSchema log md meaningOf memoryFs ok phaseOf provide requires resource section slice systemClock toAgentError toJsonl tool transcriptOf"`,
  );
  expect(await names("codexwright/workspace")).toMatchInlineSnapshot(
    `"FolderNotRemovedError GitFailedError NotARepositoryError RevisionNotFoundError Workspace WorkspaceBudgetExceededError WorkspaceSecurityError hasChanges overlayFs"`,
  );
  expect(await names("codexwright/recording")).toMatchInlineSnapshot(
    `"NOISE RecordingError RecordingFormatError ReplayMismatchError compareTranscripts normalize parseRecording readRecording record replay"`,
  );
  expect(await names("codexwright/endpoint")).toMatchInlineSnapshot(`"Endpoint"`);
  expect(await names("@codexwright/engine")).toMatchInlineSnapshot(
    `"EngineServer MemoryThreadStore ModelError"`,
  );
  expect(await names("@codexwright/engine/node")).toMatchInlineSnapshot(`"nodeFiles nodePlatform"`);
  expect(await names("@codexwright/testing")).toMatchInlineSnapshot(
    `"ExpectationError FakeAppServer ModelClosedError RawChannel WireScript applyPatch compareRuns exec fail fakeAppServer fakeTarget gate hang mcpCall outputItem plan realAppServer realTarget reasoning reply runScenario scenarios scriptedModel streamFail subAgent toolCall truncate unsupportedReason usage userInput wireScript"`,
  );
});

verifies("package.dependencies", "there is no runtime dependency, and every peer is optional", () => {
  expect(manifest.dependencies).toBeUndefined();
  for (const peer of Object.keys(manifest.peerDependencies)) {
    expect(manifest.peerDependenciesMeta[peer]).toEqual({ optional: true });
  }
});

verifies("package.exports", "the version told to servers is the package's", () => {
  expect(VERSION).toBe(manifest.version);
  expect(manifest.engines).toEqual({ node: ">=20.19" });
});
