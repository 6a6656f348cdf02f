/** How much of a text is searched. Errors show at most 4,096 characters, and an encoded secret is not much longer. */
const MOST_SEARCHED = 64 * 1024;

/**
 * Removes secrets from texts that a model's server sent, in whatever encoding the server quotes them. Also removes
 * control characters, and shortens the text.
 */
export class Cleaner {
  readonly #secrets: ReadonlySet<string>;

  constructor(secrets: Iterable<string>) {
    this.#secrets = new Set(secrets);
  }

  /** @param whole false if the text is only the beginning of a text, so that its end can be half a secret */
  async clean(text: string, most: number, whole: boolean = true): Promise<string> {
    if (text === "") return "";
    // The search is large, and most programs never need it.
    const { SecretStore } = await import("codexwright/internal/redact");
    const store = new SecretStore([]);
    for (const secret of this.#secrets) if (secret !== "") store.learn(secret, "own");
    store.seal();
    // The search takes a while for a long text, and an error shows only the beginning.
    const head = text.slice(0, MOST_SEARCHED);
    const known = whole && head.length === text.length ? text : head.slice(0, store.unfinishedAt(head));
    return shortened(withoutControls(store.clean(known, "own")), most);
  }
}

/** Replaces control characters and characters that change the direction of text. Keeps line feeds and tabs. */
function withoutControls(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "\uFFFD");
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
