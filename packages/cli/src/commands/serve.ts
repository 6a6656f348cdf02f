import type { Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(
    program
      .command("serve")
      .description("Share one Codex with several clients, on a websocket or a unix socket."),
  )
    .option("--listen <url>", "ws://HOST:PORT (port 0 = any free port) or unix://PATH", "ws://127.0.0.1:0")
    .option("--token-file <file>", "clients must send the token in this file; created if it is missing")
    .option("--token-sha256 <hex>", "clients must send the token that has this SHA-256")
    .option(
      "--jwt-secret-file <file>",
      "clients must send a JWT that is signed (HS256) with the secret in this file",
    )
    .option("--jwt-issuer <text>", "the `iss` that a JWT must have")
    .option("--jwt-audience <text>", "the `aud` that a JWT must have")
    .option("--allow-origin <origin...>", "let web pages of these origins connect, e.g. https://example.com")
    .option("--restart", "start a new app-server if it is lost, instead of exiting");
  examples(
    command,
    "codexwright serve --listen ws://127.0.0.1:4500 --token-file ~/.codexwright-token",
    "codexwright serve --listen unix:///run/user/1000/codex.sock",
    "codexwright serve --listen ws://127.0.0.1:4500 --token-file t --allow-origin https://console.example",
  );
  action(command, async () => (await import("../serve/serve.ts")).serve);
}
