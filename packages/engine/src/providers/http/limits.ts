import type { StreamLimits } from "../sse/index.ts";

const MIB = 1024 * 1024;

/** The limits of one response. A response that exceeds one of them is broken off and not requested again. */
export const LIMITS: StreamLimits = { line: 32 * MIB, event: 32 * MIB, stream: 256 * MIB };

/** How many bytes of the body of a refusal are read. */
export const BODY_BYTES: number = 64 * 1024;

/** The longest text of a model's server that is part of an error, in UTF-16 code units. */
export const ERROR_TEXT: number = 4_096;

/** Items that are nested deeper are refused, because a program that walks them could exceed its stack. */
export const DEEPEST_ITEM: number = 64;
