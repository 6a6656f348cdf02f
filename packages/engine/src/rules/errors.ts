import { CodexError } from "codexwright/rpc";

/** A file with rules cannot be used. The message names the file and the line. */
export class RulesError extends CodexError {
  readonly code = "invalid_rules";
  readonly file: string;
  readonly line: number;

  constructor(file: string, line: number, problem: string) {
    super(`${file}:${line}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}
