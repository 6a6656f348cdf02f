/** Returns a text with secrets replaced by placeholders. */
export type Clean = (text: string) => string;

/** Loads the redactor, which is large. `secrets` are found in every encoding, texts of a known shape anyway. */
export async function loadClean(secrets: readonly string[]): Promise<Clean> {
  const { SecretStore } = await import("codexwright/internal/redact");
  const store = new SecretStore([]);
  for (const secret of secrets) if (secret.length > 0) store.learn(secret, "own");
  store.seal();
  return (text) => {
    const cleaned = store.clean(text, "peer");
    store.seal();
    return cleaned;
  };
}
