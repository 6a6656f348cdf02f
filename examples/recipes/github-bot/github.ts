import type { PullRequest } from "./mirror.ts";

export interface ApiOptions {
  /** For example https://api.github.com. */
  readonly apiUrl: string;
  readonly token: string;
}

export async function postReview(
  pull: PullRequest,
  { apiUrl, token }: ApiOptions,
  review: object,
  signal: AbortSignal,
): Promise<void> {
  const url = `${apiUrl}/repos/${pull.repository.full_name}/pulls/${pull.number}/reviews`;
  const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" };
  const { ok, status } = await fetch(url, { method: "POST", headers, body: JSON.stringify(review), signal });
  if (!ok) throw Object.assign(new Error("GitHub refused the review"), { code: `github_${status}` });
}
