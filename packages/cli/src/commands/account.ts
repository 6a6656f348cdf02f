import { Option, type Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const login = shared(
    program.command("login").description("Log Codex in: by browser, device code or API key."),
  )
    .addOption(new Option("--api-key-stdin", "with an OpenAI API key, read from stdin").conflicts("device"))
    .option("--device", "with a code that is typed in on any device");
  examples(
    login,
    "codexwright login",
    "codexwright login --device",
    "printenv OPENAI_API_KEY | codexwright login --api-key-stdin",
  );
  action(login, async () => (await import("../account/login.ts")).login);
  const logout = shared(program.command("logout").description("Log Codex out."));
  examples(logout, "codexwright logout");
  action(logout, async () => (await import("../account/login.ts")).logout);
  const whoami = shared(
    program
      .command("whoami")
      .description("Show who is logged in, the plan, and how much of its limits is used."),
  );
  examples(whoami, "codexwright whoami", "codexwright whoami --json | jq .account.planType");
  action(whoami, async () => (await import("../account/whoami.ts")).whoami);
}
