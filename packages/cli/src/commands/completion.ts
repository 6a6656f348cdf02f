import { Argument, type Command } from "commander";
import { examples } from "../shared/options.ts";

export function register(program: Command): void {
  const command = program
    .command("completion")
    .description("Print a script that completes the command in a shell: bash, zsh or fish.")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]));
  examples(
    command,
    "source <(codexwright completion bash)                     in ~/.bashrc",
    "source <(codexwright completion zsh)                      in ~/.zshrc, behind compinit",
    "codexwright completion fish > ~/.config/fish/completions/codexwright.fish",
  );
  command.action(async (shell: string) => {
    const [{ completion }, { write }] = await Promise.all([
      import("../completion.ts"),
      import("../shared/terminal.ts"),
    ]);
    write("stdout", completion(program, shell));
  });
}
