/** The Codex versions that the suite runs on: the oldest supported one, the pinned one, and some between. */
export const CODEX_VERSIONS = ["0.98.0", "0.120.0", "0.145.0", "0.155.0", "0.166.0"] as const;

export type CodexVersion = (typeof CODEX_VERSIONS)[number];

/** The version that the library's types are generated from. */
export const PINNED_CODEX: CodexVersion = "0.166.0";
