/**
 * The parts of Standard Schema 1 and Standard JSON Schema 1 (https://standardschema.dev) that this library
 * uses. They are written out here so that no schema library, and not even the specification's package, has
 * to be installed.
 */
export interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  /** Exists for the compiler only. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  readonly jsonSchema: {
    readonly input: (options: StandardJsonOptions) => Record<string, unknown>;
    readonly output: (options: StandardJsonOptions) => Record<string, unknown>;
  };
}

/** The value, or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a JSON Schema is asked for with. */
export interface StandardJsonOptions {
  readonly target: "draft-2020-12" | "draft-07" | "openapi-3.0" | ({} & string);
}
