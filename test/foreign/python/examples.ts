import { reply } from "@codexwright/testing";
import { run, text, threadStart, type CallStep, type Example, type Json, type Step } from "./steps.ts";

const SCHEMA = {
  type: "object",
  properties: { summary: { type: "string" }, actions: { type: "array", items: { type: "string" } } },
  required: ["summary", "actions"],
  additionalProperties: false,
};
const PLAN = JSON.stringify({ summary: "careful", actions: ["one", "two"] });
const RICH = { outputSchema: SCHEMA, personality: "pragmatic", summary: "concise" };

/**
 * The messages of the public examples of the official Python client after its handshake, and what each example waits
 * for: `sdk/python/examples` of openai/codex. Its asynchronous examples send the same messages.
 */
export const EXAMPLES: Readonly<Record<string, () => Example>> = {
  "01_quickstart_constructor": () => says("Say hello in one sentence."),
  "02_turn_run": () => says("Give 3 bullets about SIMD."),
  "03_turn_stream_events": () => ({
    model: [reply("one two three", { deltas: 3 })],
    steps: [threadStart(), ...run("Explain SIMD in 3 short bullets.", "one two three")],
  }),
  "04_models_and_metadata": () => ({
    model: [],
    steps: [{ call: "model/list", params: { includeHidden: false }, choose: models }],
  }),
  "05_existing_thread": () => ({
    model: [reply("a fact"), reply("another")],
    steps: [
      threadStart(),
      ...run("Tell me one fact about Saturn.", "a fact"),
      { call: "thread/resume", params: { threadId: "{thread}" }, answer: { thread: { id: "{thread}" } } },
      ...run("Continue with one more fact.", "another"),
    ],
  }),
  "06_thread_lifecycle_and_controls": lifecycle,
  "07_image_and_text": () =>
    seen("What is in this image? Give 3 bullets.", {
      type: "image",
      url: "{url}",
    }),
  "08_local_image_and_text": () =>
    seen("Read this generated local image and summarize the colors/layout in 2 bullets.", {
      type: "localImage",
      path: "{path}",
    }),
  "09_async_parity": () => says("Say hello in one sentence."),
  "10_error_handling_and_retry": () => says("Summarize retry best practices in 3 bullets."),
  "11_cli_mini_app": () => ({
    typed: "hello\nagain\n/exit\n",
    model: [reply("first"), reply("second")],
    steps: [threadStart(), ...run("hello", "first"), ...run("again", "second")],
  }),
  "12_turn_params_kitchen_sink": () => ({
    model: [reply(PLAN)],
    steps: [
      threadStart(),
      ...run(
        "Analyze a safe rollout plan for enabling a feature flag in production. " +
          "Return JSON matching the requested schema.",
        PLAN,
        RICH,
      ),
    ],
  }),
  "13_model_select_and_turn_params": () => ({
    model: [reply("a sentence"), reply(PLAN)],
    steps: [
      { call: "model/list", params: { includeHidden: true }, choose: models },
      threadStart({ model: "{model}", config: { model_reasoning_effort: "{effort}" } }),
      ...run("Give one short sentence about reliable production releases.", "a sentence", {
        model: "{model}",
        effort: "{effort}",
      }),
      ...run("Return JSON for a safe feature-flag rollout plan.", PLAN, {
        ...RICH,
        cwd: "{cwd}",
        effort: "{effort}",
        model: "{model}",
        sandboxPolicy: { type: "readOnly", networkAccess: false },
      }),
    ],
  }),
};

const LOGIN: CallStep = {
  call: "account/login/start",
  params: { type: "chatgpt" },
  keep: { login: "loginId" },
};
const ACCOUNT: CallStep = {
  call: "account/read",
  params: { refreshToken: false },
  answer: { requiresOpenaiAuth: false },
};

/** The example `15_login_and_account` on Codex. */
export const LOGIN_ON_CODEX: readonly Step[] = [
  LOGIN,
  { call: "account/login/cancel", params: { loginId: "{login}" }, answer: { status: "canceled" } },
  { told: "account/login/completed", params: { loginId: "{login}", success: false } },
  ACCOUNT,
];

/** The engine has no logins at ChatGPT: the client raises the error of the first request. */
export const LOGIN_ON_ENGINE: readonly Step[] = [{ ...LOGIN, refused: "not_supported" }, ACCOUNT];

function says(words: string): Example {
  return { model: [reply("Hello.")], steps: [threadStart(), ...run(words, "Hello.")] };
}

function seen(words: string, image: Json): Example {
  const input = [text(words), image];
  return { model: [reply("a picture")], steps: [threadStart(), ...run(words, "a picture", { input })] };
}

/** Returns the best visible model and its highest effort, as the example chooses them. */
function models(answer: Json): { model: string; effort: string } {
  type Effort = { readonly reasoningEffort: string };
  type Listed = {
    readonly id: string;
    readonly model: string;
    readonly hidden: boolean;
    readonly upgrade: string | null;
    readonly supportedReasoningEfforts: readonly Effort[];
  };
  const visible = (answer["data"] as readonly Listed[]).filter(({ hidden }) => !hidden);
  const known = new Set(visible.flatMap(({ id, model }) => [id, model]));
  const top = visible.filter(({ upgrade }) => !(upgrade && known.has(upgrade)));
  const [best] = top.toSorted((one, other) => (one.model < other.model ? 1 : -1));
  const ranks = ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"];
  const efforts = best?.supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort) ?? [];
  const effort = ranks.findLast((rank) => efforts.includes(rank));
  if (!best || effort === undefined) throw new Error("no model with an effort is listed");
  return { model: best.model, effort };
}

function lifecycle(): Example {
  return {
    model: ["one", "two", "three", "four", "a summary"].map((words) => reply(words)),
    steps: [
      threadStart(),
      ...run("One sentence about structured planning.", "one"),
      ...run("Now restate it for a junior engineer.", "two"),
      { call: "thread/resume", params: { threadId: "{thread}" }, answer: { thread: { id: "{thread}" } } },
      {
        call: "thread/list",
        params: { limit: 20, archived: false },
        answer: { data: [{ id: "{thread}" }] },
      },
      {
        call: "thread/read",
        params: { threadId: "{thread}", includeTurns: true },
        answer: { thread: { id: "{thread}", turns: [{ status: "completed" }, { status: "completed" }] } },
      },
      { call: "thread/name/set", params: { threadId: "{thread}", name: "sdk-lifecycle-demo" } },
      { call: "thread/archive", params: { threadId: "{thread}" } },
      {
        call: "thread/list",
        params: { limit: 20, archived: true },
        answer: { data: [{ id: "{thread}", name: "sdk-lifecycle-demo" }] },
      },
      {
        call: "thread/unarchive",
        params: { threadId: "{thread}" },
        answer: { thread: { id: "{thread}", name: "sdk-lifecycle-demo" } },
      },
      {
        call: "thread/resume",
        params: { threadId: "{thread}", model: "gpt-5.4", config: { model_reasoning_effort: "high" } },
        answer: { thread: { id: "{thread}" }, model: "gpt-5.4" },
      },
      ...run("Continue in one short sentence.", "three"),
      {
        call: "thread/fork",
        params: { threadId: "{thread}", model: "gpt-5.4" },
        keep: { fork: "thread.id" },
        answer: { thread: { forkedFromId: "{thread}" } },
      },
      ...run("Take a different angle in one short sentence.", "four", { threadId: "{fork}" }),
      { call: "thread/compact/start", params: { threadId: "{thread}" }, answer: {} },
    ],
  };
}
