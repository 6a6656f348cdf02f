import { access, constants, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { CodexClient, ConnectionClosedError, RpcError, type protocol } from "codexwright";
import { realAppServer } from "@codexwright/testing";
import { fail, ok, warn, type Finding } from "./check.ts";
import { findProject, trusting, type Project } from "./project.ts";

type Warning = Pick<protocol.ConfigWarningNotification, "summary" | "details">;

/** An address at which no model answers. The check never calls a model. */
const NO_MODEL = { baseUrl: "http://127.0.0.1:9" };

/**
 * Lets Codex itself check a copy of the user's config.toml, because only Codex knows how strict it is. The copy is in a
 * separate home, because a server writes to its home. The server runs in the user's folder, so that it also reads the
 * project's configuration.
 */
export async function checkConfig(codexHome: string, codexPath: string, cwd: string): Promise<Finding> {
  const file = path.join(codexHome, "config.toml");
  const homeless = await judgeHome(codexHome, process.env["CODEX_HOME"] === codexHome);
  if (homeless) return homeless;
  const config = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const project = await findProject(cwd, codexHome, config ?? "");
  if (config === undefined && !project) return ok(`no ${file}: Codex uses its defaults`);
  await using world = await realAppServer({ model: NO_MODEL, codexPath });
  const copy = path.join(world.codexHome, "config.toml");
  await writeFile(copy, project ? trusting(config ?? "", project) : (config ?? ""));
  const warnings: Warning[] = [];
  const codex = new CodexClient({
    ...world.clientOptions,
    ...(project && { cwd }),
    config: { "analytics.enabled": false, "features.plugins": false, check_for_update_on_startup: false },
  });
  codex.on("error", () => {}); // The request below reports the error.
  codex.onNotification("configWarning", (warning) => warnings.push(warning));
  let refusal: string | undefined;
  try {
    await codex.connect();
    // The warnings arrive before the answer to this request.
    await codex.request("config/read", {});
  } catch (error) {
    if (!(error instanceof RpcError) && !(error instanceof ConnectionClosedError)) throw error;
    const words = error instanceof ConnectionClosedError ? error.stderrTail : undefined;
    refusal = words?.trim() || error.message;
  } finally {
    await codex.disconnect();
  }
  return judgeConfig({ file, copy, project }, warnings, refusal);
}

/** The user's file, the copy that Codex reads, and the project's files. */
interface ConfigFiles {
  readonly file: string;
  readonly copy: string;
  readonly project?: Project | undefined;
}

/** Turns what Codex reported about the copy into a finding about the user's file. Exported for its tests. */
export function judgeConfig(
  { file, copy, project }: ConfigFiles,
  warnings: readonly Warning[],
  refusal: string | undefined,
): Finding {
  const own = (text: string): string => text.replaceAll(copy, file).replaceAll(/\s+/g, " ").trim();
  const invalid = warnings.find(({ summary }) => summary.startsWith("Invalid configuration"));
  const why = own(invalid?.details ?? refusal ?? "Codex gives no reason");
  if (invalid || refusal !== undefined) {
    const broken = project?.files.find((each) => why.includes(each)) ?? file;
    if (broken !== file && !project?.isTrusted) {
      return warn(
        `${broken} is broken: ${why}`,
        "Fix it before you trust the project: Codex does not read it until then.",
      );
    }
    return fail(
      `${broken} is broken: ${why}`,
      invalid
        ? "Fix it: until then, Codex starts no thread, or uses only its defaults."
        : "Fix it: Codex does not start with it.",
    );
  }
  // The sandbox has its own check.
  const others = warnings.filter(({ summary }) => !/bubblewrap|sandbox/i.test(summary));
  if (project && !project.isTrusted) {
    return warn(
      `${project.files.join(" and ")} is not read: ${project.root} is not a trusted project`,
      "If Codex should read it, trust the project: run `codex` there, or add to your config.toml",
      `[projects.${JSON.stringify(project.root)}] with trust_level = "trusted".`,
    );
  }
  const all = [file, ...(project?.files ?? [])].join(" and ");
  if (others.length > 0) return warn(others.map(({ summary }) => own(summary)).join(" "), `Check ${all}.`);
  return ok(`${all} ${project ? "are" : "is"} valid`);
}

/**
 * Why Codex cannot start in its home, or `undefined` if it can. Codex creates the default home, but not one
 * that CODEX_HOME names.
 */
export async function judgeHome(codexHome: string, isGiven: boolean): Promise<Finding | undefined> {
  const found = await stat(codexHome).catch(() => undefined);
  if (!found && !isGiven) return undefined;
  if (!found) {
    return fail(`${codexHome} does not exist`, `Codex does not start without it: mkdir -p ${codexHome}`);
  }
  const remedy = "Codex does not start with it: set CODEX_HOME to a folder of yours, or unset it.";
  if (!found.isDirectory()) return fail(`${codexHome} is not a folder`, remedy);
  const writable = await access(codexHome, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return writable ? undefined : fail(`${codexHome} is not writable`, remedy);
}
