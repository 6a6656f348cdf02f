import type { Account, RateLimitSnapshot, RateLimitWindow } from "codexwright/protocol";
import { bar } from "../show/status.ts";
import { CommandError, EXIT } from "../shared/command-error.ts";
import { connect, requireLogin } from "../shared/connect.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { Style } from "../shared/style.ts";
import { clean } from "../shared/text.ts";

/** Shows the account with its limits. Exits with 4 if Codex is not logged in. */
export async function whoami({ options, output, cwd }: Invocation): Promise<void> {
  await requireLogin(options);
  await using connection = await connect(options, cwd);
  const { codex } = connection;
  const { account, requiresOpenaiAuth } = await codex.account();
  if (account === null && requiresOpenaiAuth) {
    throw new CommandError("not_logged_in", EXIT.auth, "Not logged in.", [
      "Log in with `codexwright login`.",
    ]);
  }
  // Only ChatGPT plans have limits. If the network is down, the account is still worth showing.
  const limits =
    account?.type === "chatgpt" ? await codex.rateLimits.read().catch((error: Error) => error) : undefined;
  const snapshots =
    limits === undefined || limits instanceof Error
      ? []
      : Object.values(limits.rateLimitsByLimitId ?? { codex: limits.rateLimits }).filter(
          (one) => one !== undefined,
        );
  output.json({ type: "account", account, rateLimits: snapshots });
  output.styled(accountText(account, snapshots, output.style, Date.now()));
  if (limits instanceof Error) output.remark(`Could not read the limits: ${limits.message}`);
}

/** Formats the account as text, with a bar for each limit. */
export function accountText(
  account: Account | null,
  limits: readonly RateLimitSnapshot[],
  style: Style,
  now: number,
): string {
  const lines = [describe(account, style)];
  for (const { limitName, limitId, primary, secondary } of limits) {
    const name = clean(limitName ?? limitId ?? "limit");
    for (const window of [primary, secondary]) {
      if (window) lines.push(`${style.dim(name.padEnd(10))} ${limitLine(window, style, now)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function describe(account: Account | null, style: Style): string {
  if (account === null) return "Your own provider, which needs no login.";
  switch (account.type) {
    case "chatgpt":
      return `${style.bold(clean(account.email ?? "a ChatGPT account"))}, plan ${clean(account.planType)}`;
    case "apiKey":
      return "An OpenAI API key.";
    default:
      return `An account of type ${clean(account.type)}.`;
  }
}

function limitLine(
  { usedPercent, windowDurationMins, resetsAt }: RateLimitWindow,
  style: Style,
  now: number,
): string {
  const share = bar(usedPercent / 100);
  const coloured =
    usedPercent >= 90 ? style.red(share) : usedPercent >= 70 ? style.yellow(share) : style.green(share);
  const window = windowDurationMins === null ? "" : ` of ${span(windowDurationMins)}`;
  const reset = resetsAt === null ? "" : style.dim(`, resets in ${span((resetsAt * 1000 - now) / 60_000)}`);
  return `${coloured}${window}${reset}`;
}

function span(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole >= 2 * 1440) return `${Math.round(whole / 1440)} days`;
  return whole >= 120 ? `${Math.round(whole / 60)} hours` : `${whole} minutes`;
}
