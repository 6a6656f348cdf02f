/** A fleet inside a program: it answers the questions of agents, and ends when no issue is left. */
import { Fleet } from "@codexwright/orchestrator";

// #region open
await using fleet = await Fleet.open({
  workflow: "WORKFLOW.md",
  data: ".fleet/state",
  log: [], // nothing on stderr; the events have it all
});
// #endregion open

// #region follow
for await (const { event, identifier } of fleet.events()) {
  if (identifier === null) continue;
  const { claim } = await fleet.issue(identifier);
  if (event === "claim.blocked" && claim?.state === "blocked" && claim.reason.kind === "question") {
    console.log(identifier, "asks:", claim.reason.question.text);
    await fleet.answer(identifier, { text: "English." }, { by: "ann" });
  }
  if (event === "claim.released") {
    console.log(identifier, "is released");
    if ((await fleet.state()).claims.length === 0) break;
  }
}
// #endregion follow

// #region totals
const { totals } = await fleet.state();
const { runs } = await fleet.issue("GREET-1");
console.log(runs.map(({ outcome }) => outcome).join(", "), totals.totalTokens, "tokens");
// #endregion totals
