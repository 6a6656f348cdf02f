import type {
  GetAccountRateLimitsResponse,
  RateLimitSnapshot,
  RateLimitWindow,
} from "../../../protocol/index.ts";

/**
 * The `limitId` of the only bucket on older servers, whose snapshots have no `limitId`. A bucket is a set of limits
 * that the server counts separately.
 */
const ONLY = "codex";

/** Maximum number of buckets that are kept: far more than an account has. */
const MOST_BUCKETS = 128;

const UNREAD: Omit<GetAccountRateLimitsResponse, "rateLimits"> = {
  ordinaryUsageAllowed: null,
  rateLimitsByLimitId: null,
  rateLimitResetCredits: null,
  accountId: null,
  rateLimitUpsell: null,
};

/**
 * Merges a sparse update into the known limits.
 *
 * The server documents: "merge available values into the most recent `account/rateLimits/read` response; nullable
 * account metadata may be unavailable in a rolling update and does not clear a previously observed value." So a field
 * that is null or absent keeps its value. The same applies to the fields of a window, as long as the update is about
 * the same window. `credits` and `individualLimit` are replaced as a whole, because their fields belong together. An
 * update applies only to the bucket of its `limitId`; `rateLimits`, the view of one bucket, changes only with that
 * bucket.
 */
export function mergeLimits(
  known: GetAccountRateLimitsResponse | undefined,
  update: RateLimitSnapshot,
): GetAccountRateLimitsResponse {
  const main = known?.rateLimits.limitId ?? ONLY;
  const id = update.limitId ?? main;
  const before = known?.rateLimitsByLimitId?.[id] ?? (id === main ? known?.rateLimits : undefined);
  const after = mergeSnapshot(before, update);
  return {
    ...(known ?? UNREAD),
    // Before the first read, the view shows the first reported bucket.
    rateLimits: !known || id === main ? mergeSnapshot(known?.rateLimits, update) : known.rateLimits,
    rateLimitsByLimitId: newest({ ...known?.rateLimitsByLimitId, [id]: after }, main),
  };
}

/** Drops the first bucket that is not the main one if there are too many: a server can send any number of ids. */
function newest<T>(buckets: Record<string, T>, main: string): Record<string, T> {
  const ids = Object.keys(buckets);
  if (ids.length > MOST_BUCKETS) delete buckets[ids.find((id) => id !== main) ?? ""];
  return buckets;
}

function mergeSnapshot(known: RateLimitSnapshot | undefined, update: RateLimitSnapshot): RateLimitSnapshot {
  return {
    ...keepKnown(known, update),
    primary: mergeWindow(known?.primary, update.primary),
    secondary: mergeWindow(known?.secondary, update.secondary),
  };
}

function mergeWindow(
  known: RateLimitWindow | null | undefined,
  update: RateLimitWindow | null | undefined,
): RateLimitWindow | null {
  if (!known || !update) return update ?? known ?? null;
  const { windowDurationMins } = update;
  const another = (windowDurationMins ?? known.windowDurationMins) !== known.windowDurationMins;
  return another ? update : keepKnown(known, update);
}

function keepKnown<T extends object>(known: T | undefined, update: T): T {
  const told = Object.entries(update).filter(([, value]) => value !== null && value !== undefined);
  return known ? { ...known, ...(Object.fromEntries(told) as Partial<T>) } : update;
}
