/** In a prompt: the agent sets the state of its issue to `done`, and ends. */
export const FINISH = "Finish the issue.";
/** In a prompt: the agent speaks, a word at a time, until it is stopped. */
export const SPEAK = "Speak.";
/** In a prompt: the agent says nothing until it is stopped. */
export const WAIT = "Wait.";
/** The pause between two words. */
export const DELTA_MS = 50;
/** A part of an identifier. The hook of such an issue hangs. */
export const STUCK = "STUCK";
