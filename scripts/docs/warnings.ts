import type { UserConfig } from "vitepress";

type Logger = NonNullable<NonNullable<UserConfig["vite"]>["customLogger"]>;

/** The logger of the site's build. Prints warnings and errors, and fails the process for them. */
export const warnings: Logger = {
  hasWarned: false,
  info() {},
  warn: report,
  warnOnce: report,
  error: report,
  clearScreen() {},
  hasErrorLogged: () => false,
};

function report(message: string): void {
  warnings.hasWarned = true;
  console.error(message);
  process.exitCode = 1;
}
