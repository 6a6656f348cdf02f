/** A behaviour that users are promised. */
export interface Requirement {
  readonly id: string;
  /** Where the promise was made. */
  readonly source: string;
  readonly statement: string;
}
