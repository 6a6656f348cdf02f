import type { Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(
    program
      .command("serve")
      .description("Serve one Codex to several clients, on a websocket or a unix socket."),
  )
    .option("--listen <url>", "ws://HOST:PORT (0 = a free port) or unix://PATH", "ws://127.0.0.1:0")
    .option("--token-file <file>", "clients show the token in this file; made where it is missing")
    .option("--token-sha256 <hex>", "clients show the token with this SHA-256")
    .option("--jwt-secret-file <file>", "clients show a JWT signed (HS256) with the secret in this file")
    .option("--jwt-issuer <text>", "the `iss` a JWT must have")
    .option("--jwt-audience <text>", "the `aud` a JWT must have")
    .option("--allow-origin <origin...>", "let pages of these origins connect, as https://example.com")
    .option("--restart", "replace an app-server that is lost, in place of ending");
  examples(
    command,
    "codexwright serve --listen ws://127.0.0.1:4500 --token-file ~/.codexwright-token",
    "codexwright serve --listen unix:///run/user/1000/codex.sock",
    "codexwright serve --listen ws://127.0.0.1:4500 --token-file t --allow-origin https://console.example",
  );
  action(command, async () => (await import("../serve/serve.ts")).serve);
}
