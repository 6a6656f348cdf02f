/** What the model is asked, and what it says. */
export const HELLO = "Hello";
export const REPLY = "Hello to you, too.";

/** Answered with one message and then nothing: the turn runs on until somebody ends it. */
export const HOLD = "Hold";
export const HELD = "Holding.";
