/** Runs an agent without a person: a question stops the run, and a later run continues the thread with the answer. */
import { CodexClient } from "codexwright";
import { AnswerRequiredError, CodexAgent, definePrompt, section } from "codexwright/agent";

// #region prompt
const work = definePrompt({
  id: "examples/work",
  sections: [section({ key: "task", title: "Task", body: "Clean up the project." })],
  completion: {
    check: ({ text, round }) =>
      text === "All clean." ? undefined : `Go on. Round ${round} was not the last.`,
    maxRounds: 20,
    atLimit: "end",
  },
});
// #endregion prompt

// #region run
await using agent = await CodexAgent.open({
  connect: () => CodexClient.connect(),
  sandbox: "read-only",
  onApproval: "fail",
  onPermissions: "fail",
  onUserInput: "fail",
  onElicitation: "fail",
});
const run = agent.run(work, { threadName: "Clean up", silenceMs: 300_000, eventLog: { max: 1_000 } });
let threadId: string | undefined;
try {
  for await (const event of run) if (event.type === "thread.started") ({ threadId } = event);
} catch (error) {
  if (!(error instanceof AnswerRequiredError)) throw error;
  const { kind, params } = error.request;
  console.log(error.code, kind, (params as { reason?: string }).reason);
}
// #endregion run

// #region later
const resumeText = (): string => "You may not remove it. Go on without.";
const { text, turns, limitReached } = await agent.run(work, { threadId, resumeText }).result;
console.log(text, `${turns.length} turns`, limitReached ? "stopped at the limit" : "complete");
// #endregion later
