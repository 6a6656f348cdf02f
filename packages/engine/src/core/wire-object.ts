/** An object of the Responses API, unchecked. */
export type WireObject = Readonly<Record<string, unknown>>;
