/** Answers as typed values instead of text. */
import { CodexClient, InvalidArgumentError, OutputInvalidError } from "codexwright";
import { z } from "zod";

// #region run
await using codex = await CodexClient.connect();
const thread = await codex.startThread();

const Review = z.object({
  verdict: z.enum(["good", "bad"]),
  summary: z.string().min(10),
  line: z.number().int().optional(),
});

const { output } = await thread.run("Review the last change.", { output: Review });
console.log(output.verdict, output.summary.length, output.line); // { verdict, summary, line? }, typed
// #endregion run

// #region repair
const repaired = await thread.run("Review it once more.", { output: Review, repair: 2 });
console.log(repaired.output.summary);
// #endregion repair

// #region invalid
try {
  await thread.run("Review it a last time.", { output: Review });
} catch (error) {
  if (!(error instanceof OutputInvalidError)) throw error;
  console.log(error.message);
  console.log(error.raw);
  for (const { path, message } of error.issues) console.log(`${path}: ${message}`);
}
// #endregion invalid

// #region refused
const Scores = z.object({ byFile: z.record(z.string(), z.number()) });
try {
  await thread.run("Score every file.", { output: Scores });
} catch (error) {
  if (!(error instanceof InvalidArgumentError)) throw error;
  console.log(error.message);
}
// #endregion refused

// #region list
const Score = z.object({ scores: z.array(z.object({ file: z.string(), score: z.number() })) });
const scored = await thread.run("Score every file.", { output: Score });
for (const { file, score } of scored.output.scores) console.log(file, score);
// #endregion list
