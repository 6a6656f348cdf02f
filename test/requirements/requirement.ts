/** A behaviour that users are promised. */
export interface Requirement {
  readonly id: string;
  readonly statement: string;
}
