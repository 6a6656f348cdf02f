/** A failure that a stream reported. */
export interface ReportedFailure {
  readonly reason: string | undefined;
  readonly message: string;
}
