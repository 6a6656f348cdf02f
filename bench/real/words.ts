/** The model's input and answer. */
export const HELLO = "Hello";
export const REPLY = "Hello to you, too.";

/** The model answers with one message and then stops sending, so the turn runs until it is ended. */
export const HOLD = "Hold";
export const HELD = "Holding.";
