import { InvalidArgumentError } from "../rpc/errors.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import { Redactor } from "../redact/redactor.ts";

/** Options of {@link createRedactor}. */
export interface RedactorOptions {
  /** More secrets to remove. Texts are also found in encoded form; patterns are matched as they are. */
  readonly secrets?: readonly (string | RegExp)[] | undefined;
  /** Environment variables, usually `process.env`. Values of variables with secret names are removed. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

const OPTIONS: Table<RedactorOptions> = {
  secrets: is.listOf(is.either(is.text, is.regExp)),
  env: is.recordOf(is.text),
};

/** Removes secrets from texts and JSON values. Created by {@link createRedactor}. */
export interface SecretRedactor {
  /** Returns the text with placeholders in place of secrets. */
  readonly text: (text: string) => string;
  /**
   * Returns a copy of the value as JSON, with placeholders in place of secrets. The names of members count too: all of
   * `{ apiKey: "…" }` is a secret. Throws `invalid_argument` if the value cannot be represented in JSON.
   */
  readonly json: (value: unknown) => unknown;
}

/**
 * Returns a function pair that removes the same secrets as a recording does, for example from the log of a program:
 *
 * - the texts and patterns in the option `secrets`
 * - the values of variables in `env` with secret names
 * - texts that look like secrets (the gitleaks rules, private keys, `Bearer …`, `API_KEY=…`, signed URLs)
 * - members of JSON values with secret names
 *
 * Secrets are also found inside JSON, base64, hex and percent-encoding. A secret that was found once is also found in
 * later calls, as long as it is among the newest that were found. Equal secrets have the same placeholder.
 */
export function createRedactor(options: RedactorOptions = {}): SecretRedactor {
  checkOptions("createRedactor()", options, OPTIONS);
  const { secrets = [], env = {} } = options;
  const redactor = new Redactor(secrets, env);
  return {
    text(text) {
      is.checkArgument("text()", "text", text, is.text);
      // The secrets that are found in texts of others do not fill the memory, unlike our own.
      return redactor.text(text, "peer");
    },
    json: (value) => redactor.json(jsonOf(value), "peer"),
  };
}

function jsonOf(value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined;
  } catch (cause) {
    throw new InvalidArgumentError("value cannot be represented in JSON", { cause });
  }
  if (text === undefined) throw new InvalidArgumentError("value cannot be represented in JSON");
  return JSON.parse(text);
}
