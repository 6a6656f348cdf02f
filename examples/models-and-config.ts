/** Chooses the model for the server, a thread or a turn, and reads and writes the configuration. */
// #region all
import { CodexClient, ConfigConflictError } from "codexwright";

// Another provider, for this server only: `-c model_provider=… -c model_providers.local.name=…`.
const local = {
  name: "Local",
  base_url: process.env["OPENAI_BASE_URL"] ?? "http://127.0.0.1:11434/v1",
  wire_api: "responses",
};
await using codex = await CodexClient.connect({
  config: { model_provider: "local", model_providers: { local } },
});

for await (const { model, isDefault, defaultReasoningEffort, supportedReasoningEfforts } of codex.models()) {
  const efforts = supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort);
  if (isDefault) console.log(model, defaultReasoningEffort, efforts.join(" "));
}

const thread = await codex.startThread({ model: "small", config: { model_reasoning_effort: "low" } });
console.log(thread.model, thread.modelProvider, thread.reasoningEffort);
await thread.run("Say hello."); // small, low
await thread.run("Think about it.", { model: "large", effort: "high" });
await thread.run("And now?"); // Still large, high: overrides stay.

const { config, layers } = await codex.config.read({ includeLayers: true });
console.log(config.model_provider, layers?.map(({ name }) => name.type).join(", "));
const user = layers?.find(({ name }) => name.type === "user");
const expectedVersion = user?.version ?? null;
const { status } = await codex.config.write("model", "small", { expectedVersion });
console.log(status, (await codex.config.read()).config.model);
try {
  await codex.config.write("model", "large", { expectedVersion });
} catch (error) {
  if (!(error instanceof ConfigConflictError)) throw error;
  console.log(error.code, "read again, then decide");
}
// #endregion all
