/** Returns a text with secrets replaced by placeholders. */
export type Clean = (text: string) => string;

/** Removes secrets from texts. */
export interface Redactor {
  readonly clean: Clean;
  /** From now on, these texts are found in every encoding. Texts of a known shape are found anyway. */
  readonly learn: (secrets: readonly string[]) => void;
}

/** Loads the redactor, which is large. */
export async function loadRedactor(): Promise<Redactor> {
  const { SecretStore } = await import("codexwright/internal/redact");
  const store = new SecretStore([]);
  return {
    clean: (text) => {
      const cleaned = store.clean(text, "peer");
      store.seal();
      return cleaned;
    },
    learn: (secrets) => {
      for (const secret of secrets) if (secret.length > 0) store.learn(secret, "own");
      store.seal();
    },
  };
}
