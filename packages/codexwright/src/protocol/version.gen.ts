// Generated from Codex 0.166.0 by scripts/generate-protocol.ts. Do not edit.

/** The Codex version that the types were generated from. */
export const CODEX_VERSION: string = "0.166.0";
