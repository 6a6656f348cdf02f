import type { VerifiesOptions } from "@codexwright/test-support/verifies";

/** Cases of each of the six properties: together more than 100,000. */
export const CASES = 18_000;

/** Far more than the cases take: a hang is what it is there for. */
export const FUZZ: VerifiesOptions = { timeoutMs: 180_000 };
