import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { makeProgram } from "../../src/program.ts";
import { quickLine } from "../../src/app-server/quick.ts";

/** Parses the same words with the parser of all commands. */
async function parsed(argv: readonly string[]): Promise<unknown> {
  const program = makeProgram("1.0.0");
  const command = program.commands.find((each) => each.name() === "app-server");
  let seen: unknown;
  command?.action((options: Record<string, unknown>) => {
    const { config = [], enable = [], disable = [], listen } = options;
    seen = { listen, config, enable, disable };
  });
  await program.parseAsync(argv, { from: "user" });
  return seen;
}

verifies(
  "cli.app-server.quick",
  "parses the options of clients like the parser of all commands",
  async () => {
    for (const line of [
      "",
      "-c model=a",
      "--config model=a -c b.c=[1,2]",
      "--config=model=a=b",
      "--enable one --disable two --enable=three",
      "--listen stdio://",
      "--listen=stdio://",
      "--stdio",
      "--analytics-default-enabled",
      "-c a=--listen --analytics-default-enabled --enable x --stdio",
    ]) {
      const argv = ["app-server", ...line.split(" ").filter((word) => word !== "")];
      const quick = quickLine(argv);
      expect({ line, quick }).toEqual({ line, quick: await parsed(argv) });
    }
  },
);

verifies("cli.app-server.quick", "leaves all other command lines to the parser", () => {
  for (const line of [
    "",
    "run app-server",
    "app-server --help",
    "app-server -h",
    "app-server app-server",
    "app-server daemon",
    "app-server -c",
    "app-server --enable=",
    "app-server --listen",
    "app-server --listen ws://127.0.0.1:0",
    "app-server --listen unix:///a",
    "app-server --token-file a",
    "app-server --json",
    "app-server -- --stdio",
    "app-server --no-such=1",
    "--stdio app-server",
    "--listen stdio:// app-server",
    "-c app-server",
    "--__proto__ x app-server",
    "--constructor=x app-server",
  ]) {
    expect({ line, quick: quickLine(line.split(" ")) }).toEqual({ line, quick: undefined });
  }
  const quick = quickLine(["-c", "a=1", "--enable", "b", "app-server", "-c", "c=2"]);
  expect(quick).toMatchObject({ config: ["a=1", "c=2"], enable: ["b"], disable: [] });
});
