/** An object of the Responses API, unchanged. */
export type WireObject = Readonly<Record<string, unknown>>;
