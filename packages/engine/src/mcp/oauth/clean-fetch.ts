import { Cleaner } from "../../providers/index.ts";
import type { Fetch } from "../bounded-fetch.ts";

const LONGEST_ERROR = 4_096;

/** A fetch whose errors do not quote secrets: the client of the protocol writes those of a login to stderr. */
export function cleanFetch(fetchFn: Fetch, secrets: () => readonly string[]): Fetch {
  return async (url, init) => {
    const response = await fetchFn(url, init);
    if (response.ok || !response.body) return response;
    const { status, statusText, headers } = response;
    const text = await new Cleaner(secrets()).clean(await response.text(), LONGEST_ERROR);
    return new Response(text, { status, statusText, headers });
  };
}
