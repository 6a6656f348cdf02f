import { CodexError } from "codexwright/rpc";

/** Why a change of the configuration is refused, in the words of the protocol. */
export type ConfigWriteReason = "configLayerReadonly" | "configVersionConflict" | "configValidationError";

/** A change of the configuration is refused. The message does not contain values, because these can be secrets. */
export class ConfigWriteError extends CodexError {
  readonly code = "config_write_refused";
  readonly reason: ConfigWriteReason;

  constructor(reason: ConfigWriteReason, message: string) {
    super(message);
    this.reason = reason;
  }

  static invalid(message: string): ConfigWriteError {
    return new ConfigWriteError("configValidationError", message);
  }

  static readonly(): ConfigWriteError {
    return new ConfigWriteError("configLayerReadonly", "Only writes to the user config are allowed");
  }

  static conflict(): ConfigWriteError {
    return new ConfigWriteError(
      "configVersionConflict",
      "Configuration was modified since last read. Fetch latest version and retry.",
    );
  }
}
