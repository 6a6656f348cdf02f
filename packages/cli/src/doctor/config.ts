import { cp, stat } from "node:fs/promises";
import path from "node:path";
import { CodexClient, ConnectionClosedError, RpcError, type protocol } from "codexwright";
import { realAppServer } from "codexwright/testing";
import { fail, ok, warn, type Finding } from "./check.ts";

type Warning = Pick<protocol.ConfigWarningNotification, "summary" | "details">;

/** Nothing is asked of a model here. */
const NO_MODEL = { baseUrl: "http://127.0.0.1:9" };

/**
 * Lets Codex itself read a copy of the user's config.toml, in a home of its own: a server that is started in the
 * user's home would write there, and how strict Codex is only Codex knows.
 */
export async function checkConfig(codexHome: string, codexPath: string): Promise<Finding> {
  const file = path.join(codexHome, "config.toml");
  if (!(await isFolder(codexHome))) {
    return warn(`${codexHome} is not there`, `Codex does not start before it is: mkdir -p ${codexHome}`);
  }
  if (!(await isFile(file))) return ok(`no ${file}: the defaults hold`);
  const world = await realAppServer({ model: NO_MODEL, codexPath });
  const copy = path.join(world.codexHome, "config.toml");
  await using _world = world;
  await cp(file, copy);
  const warnings: Warning[] = [];
  const codex = new CodexClient({
    ...world.clientOptions,
    config: { "analytics.enabled": false, "features.plugins": false, check_for_update_on_startup: false },
  });
  codex.on("error", () => {}); // The call below tells.
  codex.onNotification("configWarning", (warning) => warnings.push(warning));
  let refusal: string | undefined;
  try {
    await codex.connect();
    // The warnings come before its answer.
    await codex.request("config/read", {});
  } catch (error) {
    if (!(error instanceof RpcError) && !(error instanceof ConnectionClosedError)) throw error;
    const words = error instanceof ConnectionClosedError ? error.stderrTail : undefined;
    refusal = words?.trim() || error.message;
  } finally {
    await codex.disconnect();
  }
  return judgeConfig(file, copy, warnings, refusal);
}

/** What Codex said of a copy, told of the file. Exported for its tests. */
export function judgeConfig(
  file: string,
  copy: string,
  warnings: readonly Warning[],
  refusal: string | undefined,
): Finding {
  const own = (text: string): string => text.replaceAll(copy, file).replaceAll(/\s+/g, " ").trim();
  const invalid = warnings.find(({ summary }) => summary.startsWith("Invalid configuration"));
  const why = invalid?.details ?? refusal;
  if (invalid || refusal !== undefined) {
    const advice = invalid
      ? "Correct it: until then Codex leaves the file out and runs with its defaults."
      : "Correct it: Codex does not start with it.";
    return fail(`${file} is broken: ${own(why ?? "Codex does not say why")}`, advice);
  }
  // The sandbox has a check of its own.
  const others = warnings.filter(({ summary }) => !/bubblewrap|sandbox/i.test(summary));
  if (others.length > 0) return warn(others.map(({ summary }) => own(summary)).join(" "), `Look at ${file}.`);
  return ok(`${file} is fine`);
}

async function isFolder(folder: string): Promise<boolean> {
  return await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function isFile(file: string): Promise<boolean> {
  return await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
