import { Option, type Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const login = shared(
    program.command("login").description("Log in to Codex: with a browser, a device code or an API key."),
  )
    .addOption(
      new Option("--api-key-stdin", "log in with an OpenAI API key, read from stdin").conflicts("device"),
    )
    .option("--device", "log in with a code that you enter on any device");
  examples(
    login,
    "codexwright login",
    "codexwright login --device",
    "printenv OPENAI_API_KEY | codexwright login --api-key-stdin",
  );
  action(login, async () => (await import("../account/login.ts")).login);
  const logout = shared(program.command("logout").description("Log out of Codex."));
  examples(logout, "codexwright logout");
  action(logout, async () => (await import("../account/login.ts")).logout);
  const whoami = shared(
    program
      .command("whoami")
      .description("Show who is logged in, the plan, and how much of each limit is used."),
  );
  examples(whoami, "codexwright whoami", "codexwright whoami --json | jq .account.planType");
  action(whoami, async () => (await import("../account/whoami.ts")).whoami);
}
