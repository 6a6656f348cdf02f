import type { VerifiesOptions } from "@codexwright/test-support/verifies";

/** The number of cases of each of the six properties, together more than 100,000. */
export const CASES = 18_000;

/** Much longer than the cases take. It detects hangs. */
export const FUZZ: VerifiesOptions = { timeoutMs: 180_000 };
