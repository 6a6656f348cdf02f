import { CodexError } from "codexwright/rpc";

/**
 * A configuration cannot be used. The message names the file and the key and says what is expected. It does not contain
 * values, because these can be secrets.
 */
export class ConfigError extends CodexError {
  readonly code = "config_invalid";
  /** The file, or "-c" for an override. */
  readonly source: string;
  /** The dotted key, if the error is about one. */
  readonly key: string | undefined;

  constructor(source: string, problem: string, key?: string) {
    super(key === undefined ? `${source}: ${problem}` : `${source}: ${key}: ${problem}`);
    this.source = source;
    this.key = key;
  }
}
