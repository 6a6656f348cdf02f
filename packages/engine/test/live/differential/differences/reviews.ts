import type { EngineDifference } from "../difference.ts";

/** The cases with a reviewer. */
const REVIEWED = [
  "agents-md",
  "broken",
  "findings",
  "history",
  "inline",
  "interrupt",
  "other-tools",
  "prose",
  "refused",
  "silent",
  "steer",
  "stopped",
  "targets",
  "writes",
].map((name) => `review.${name}`);

/** The known differences of reviews. */
export const REVIEWS: readonly EngineDifference[] = [
  {
    area: "reviews",
    codex: "The item that ends a review has only its text.",
    engine: "It also has the findings as data, in the member `output`.",
    reason: "Clients need not read them from the text, which has no confidence.",
    path: /\.output$/,
    text: /nothing became \{"findings"/,
  },
  {
    area: "reviews",
    codex: "The reviewer can write what the thread can write.",
    engine: "It can only read.",
    reason: "A review changes nothing.",
    scenarios: ["review.writes"],
    path: /(aggregatedOutput|exitCode|status|hasOutput)$/,
  },
  {
    area: "reviews",
    codex: "The reviewer can ask the user questions.",
    engine: "It cannot.",
    reason: "A review ends without anybody.",
    scenarios: REVIEWED,
    method: /^\(model tool request_user_input of thread [2-9]\)$/,
  },
  {
    area: "reviews",
    codex: "The task of the reviewer is in the words of Codex.",
    engine: "It is in our words.",
    reason: "All texts for models are our own.",
    scenarios: ["review.targets"],
    method: /^(item\/(started|completed)|\(model input of .*)$/,
    path: /content/,
  },
  {
    area: "reviews",
    codex:
      "A review of a branch outside of a repository fails before the reviewer begins, and its turn never ends.",
    engine: "The reviewer says that there is no repository, and the turn ends.",
    reason: "The engine starts no git in the folder of a thread.",
    scenarios: ["review.no-repository"],
  },
  {
    area: "reviews",
    codex:
      "If the model of the reviewer fails, clients receive the error before the items that end the review.",
    engine: "They receive it after these items.",
    reason: "A turn tells its error when it ends.",
    scenarios: ["review.refused"],
    method: /^\(order of /,
  },
  {
    area: "reviews",
    codex: "A review is shown as JSON if a member is missing or has another type.",
    engine: "It is shown as text if each finding has a title, a body and a place.",
    reason: "Models other than OpenAI's leave members out.",
    scenarios: ["review.broken"],
    path: /(review|text)$/,
    text: /\{.*findings.* became "Two problems/,
  },
  {
    area: "reviews",
    codex: "A loaded thread that is resumed after a review shows the turn of the reviewer as running.",
    engine: "It shows that turn as interrupted.",
    reason: "Nothing runs.",
    scenarios: ["review.history"],
    method: /^thread\/(resume|read)$/,
  },
];
