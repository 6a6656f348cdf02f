import { Option, type Command } from "commander";
import { action, count, examples } from "../shared/options.ts";

/** `main.ts` parses the options that clients pass without this declaration: see `app-server/quick.ts`. */
export function register(program: Command): void {
  const command = program
    .command("app-server")
    .description("Serve clients of `codex app-server` with an engine of our own, without Codex.")
    .option("--listen <url>", "stdio://, ws://HOST:PORT (port 0 = any free port) or unix://PATH", "stdio://")
    .addOption(new Option("--stdio", "the same as --listen stdio://").conflicts("listen"))
    .option("-c, --config <key=value>", "override a setting of config.toml; repeatable", collect)
    .option("--enable <feature>", "the same as -c features.<feature>=true; repeatable", collect)
    .option("--disable <feature>", "the same as -c features.<feature>=false; repeatable", collect)
    .option("--token-file <file>", "clients must send the token in this file; created if it is missing")
    .option("--token-sha256 <hex>", "clients must send the token that has this SHA-256")
    .option(
      "--jwt-secret-file <file>",
      "clients must send a JWT that is signed (HS256) with the secret in this file",
    )
    .option("--jwt-issuer <text>", "the `iss` that a JWT must have")
    .option("--jwt-audience <text>", "the `aud` that a JWT must have")
    .option("--allow-origin <origin...>", "let web pages of these origins connect, e.g. https://example.com")
    .option("--json", "print JSON lines about the listener on stdout; not with stdio://")
    .option("-q, --quiet", "print nothing about the listener on stderr")
    .option("-C, --cwd <folder>", "the folder of threads that do not set one");
  for (const option of CODEX_OPTIONS) command.addOption(option.hideHelp());
  examples(
    command,
    "codexwright app-server                                    for a client that starts it",
    "codexwright app-server --listen unix:///run/user/1000/engine.sock",
    "codexwright app-server --listen ws://127.0.0.1:4500 --token-file ~/.engine-token",
    `codexwright app-server -c model="gpt-5" -c 'model_providers.own.base_url="http://127.0.0.1:8080/v1"'`,
  );
  action(command, async () => (await import("../app-server/app-server.ts")).appServer);
}

/** Options of `codex app-server` under the names that Codex has for them. */
const CODEX_OPTIONS: readonly Option[] = [
  new Option("--ws-auth <mode>").choices(["capability-token", "signed-bearer-token"]),
  new Option("--ws-token-file <file>"),
  new Option("--ws-token-sha256 <hex>"),
  new Option("--ws-shared-secret-file <file>"),
  new Option("--ws-issuer <text>"),
  new Option("--ws-audience <text>"),
  new Option("--ws-max-clock-skew-seconds <seconds>").argParser(count("--ws-max-clock-skew-seconds")),
  // Nothing is collected, so there is nothing to enable.
  new Option("--analytics-default-enabled"),
];

function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
