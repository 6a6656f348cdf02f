/**
 * The parts of Standard Schema 1 and Standard JSON Schema 1 (https://standardschema.dev) that this library uses. They
 * are copied here as types so that neither a schema library nor the specification's package must be installed.
 */
export interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  /** Used only by the compiler. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  readonly jsonSchema: {
    readonly input: (options: StandardJsonOptions) => Record<string, unknown>;
    readonly output: (options: StandardJsonOptions) => Record<string, unknown>;
  };
}

/** The validated value, or its issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One issue and its path. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Options of the JSON Schema conversion. */
export interface StandardJsonOptions {
  readonly target: "draft-2020-12" | "draft-07" | "openapi-3.0" | ({} & string);
}
