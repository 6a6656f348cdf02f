import { AgentError, ExpansionRequiredError, PromptOutputError } from "../../../src/agent/index.ts";
import {
  ConnectionClosedError,
  NotConnectedError,
  OutputInvalidError,
  TurnFailedError,
} from "../../../src/client/index.ts";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { toAgentError } from "../../../src/agent/from-client.ts";

type WireTurn = ConstructorParameters<typeof TurnFailedError>[0];

function failedTurn(codexErrorInfo: unknown): TurnFailedError {
  const error = { message: "it failed", codexErrorInfo, additionalDetails: "more" };
  return new TurnFailedError({ id: "turn" } as WireTurn, error as never);
}

verifies("agent.R106", "the error of a failed turn has the server's error and its phase", () => {
  const cause = failedTurn({ httpConnectionFailed: { httpStatusCode: 401 } });
  const error = toAgentError(cause, "response", "demo/x");
  expect(error).toBeInstanceOf(AgentError);
  expect(error).toMatchObject({
    code: "turn_failed",
    phase: "request",
    message: "it failed",
    promptId: "demo/x",
    retryable: false,
    codex: { message: "it failed", info: "httpConnectionFailed", httpStatus: 401, additionalDetails: "more" },
  });
  expect(error.cause).toBe(cause);
  expect(toAgentError(failedTurn("serverOverloaded"), "response", "demo/x")).toMatchObject({
    phase: "request",
    retryable: true,
  });
  expect(toAgentError(failedTurn(null), "request", "demo/x").phase).toBe("response");
});

verifies("agent.R106", "the error of a crashed server has the end of its stderr, at most 8 KB", () => {
  const stderrTail = `${"x".repeat(9000)}the end`;
  const error = toAgentError(
    new ConnectionClosedError({ message: "exit 1", stderrTail }, "unknown"),
    "request",
    "p",
  );
  expect(error).toMatchObject({ code: "connection_closed", phase: "request", message: "exit 1" });
  expect(error.stderrTail).toHaveLength(8192);
  expect(error.stderrTail?.endsWith("the end")).toBe(true);
});

verifies("agent.R92", "every other error keeps its code and gets the phase in which it happened", () => {
  const closed = toAgentError(new NotConnectedError("after"), "request", "p");
  expect(closed).toMatchObject({ code: "not_connected", phase: "request", retryable: true });
  const invalid = toAgentError(new OutputInvalidError("{", []), "request", "p");
  expect(invalid).toBeInstanceOf(PromptOutputError);
  expect(invalid).toMatchObject({ code: "output_invalid", phase: "response", raw: "{" });
  expect(toAgentError(new TypeError("x"), "tool", "p")).toMatchObject({
    code: "run_failed",
    phase: "tool",
    message: "x",
  });
  const own = new ExpansionRequiredError({ sections: ["a"], reason: "r" });
  expect(toAgentError(own, "tool", "p")).toBe(own);
  expect(own).toMatchObject({ code: "expansion_required", phase: "request", request: { sections: ["a"] } });
});
