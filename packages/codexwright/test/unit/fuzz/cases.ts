import type { VerifiesOptions } from "@codexwright/test-support/verifies";

/** The number of cases for each of the six properties: more than 100,000 in total. */
export const CASES = 18_000;

/** Much longer than the cases take. It detects hangs. */
export const FUZZ: VerifiesOptions = { timeoutMs: 180_000 };
