import { Argument, type Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(
    program
      .command("completion")
      .description("Print a completion script for bash, zsh or fish.")
      .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"])),
  );
  examples(
    command,
    "source <(codexwright completion bash)                     in ~/.bashrc",
    "source <(codexwright completion zsh)                      in ~/.zshrc, after compinit",
    "codexwright completion fish > ~/.config/fish/completions/codexwright.fish",
  );
  action(command, async () => {
    const { completion } = await import("../completion.ts");
    return async ({ args: [shell = ""], output }) => {
      const script = completion(program, shell);
      output.json({ type: "completion", shell, script });
      output.text(script);
      await Promise.resolve();
    };
  });
}
