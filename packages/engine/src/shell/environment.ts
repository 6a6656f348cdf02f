/** Which variables of the server a command gets: `[shell_environment_policy]` of a `config.toml`. */
export interface ShellEnvironmentPolicy {
  /** The variables to start with: all, those of a small list (`core`), or none. Default "all". */
  readonly inherit?: "all" | "core" | "none" | undefined;
  /** Whether to keep variables whose names contain KEY, SECRET or TOKEN. Default true. */
  readonly ignoreDefaultExcludes?: boolean | undefined;
  /** Patterns of names to remove; `*` and `?` match any characters, and case does not matter. */
  readonly exclude?: readonly string[] | undefined;
  /** Variables to add. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** If it is not empty, only names that match one of these patterns are kept. */
  readonly includeOnly?: readonly string[] | undefined;
}

const CORE: ReadonlySet<string> = new Set([
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TEMP",
  "TMP",
  "TMPDIR",
  "USER",
  "USERNAME",
]);
const SECRET_PATTERNS = ["*KEY*", "*SECRET*", "*TOKEN*"];

/** The keys of a login to OpenAI. A command never inherits them. */
const LOGINS = ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"];

/**
 * The environment of commands. It never has the variables in `secrets`, which hold keys of model providers, unless the
 * policy sets them by name.
 */
export function environmentOf(
  inherited: NodeJS.ProcessEnv,
  policy: ShellEnvironmentPolicy = {},
  secrets: readonly string[] = [],
): Record<string, string> {
  const { inherit = "all", ignoreDefaultExcludes = true, exclude = [], set = {}, includeOnly = [] } = policy;
  const hidden = new Set([...LOGINS, ...secrets].map((name) => name.toUpperCase()));
  const excluded = [...(ignoreDefaultExcludes ? [] : SECRET_PATTERNS), ...exclude].map(matcher);
  const included = includeOnly.map(matcher);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || inherit === "none" || hidden.has(name.toUpperCase())) continue;
    if (inherit === "core" && !CORE.has(name.toUpperCase())) continue;
    if (!excluded.some((covers) => covers(name))) env[name] = value;
  }
  Object.assign(env, set);
  if (included.length === 0) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => included.some((covers) => covers(name))));
}

/** Compares a name with a pattern in a time that is at most proportional to the product of their lengths. */
function matcher(pattern: string): (name: string) => boolean {
  const wanted = pattern.toUpperCase();
  return (name) => matches(name.toUpperCase(), wanted);
}

function matches(text: string, pattern: string): boolean {
  let [at, to, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[to] === "*") {
      star = to++;
      mark = at;
    } else if (to < pattern.length && (pattern[to] === "?" || pattern[to] === text[at])) {
      at++;
      to++;
    } else if (star !== -1) {
      to = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[to] === "*") to++;
  return to === pattern.length;
}
