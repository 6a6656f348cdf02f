export { countOf } from "./counts.ts";
export { isOtherType, networkErrorOf, notAStream, redirectOf, refusalOf, reportedOf } from "./failures.ts";
export { checkHeaderText, headersOf, secretsIn } from "./headers.ts";
export { DEEPEST_ITEM, ERROR_TEXT, LIMITS } from "./limits.ts";
export type { ReportedFailure } from "./reported-failure.ts";
export { retryAfterText } from "./retry-after.ts";
export { urlOf } from "./url.ts";
