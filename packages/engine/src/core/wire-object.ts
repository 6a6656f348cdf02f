/** An object of the Responses API, as it came. */
export type WireObject = Readonly<Record<string, unknown>>;
