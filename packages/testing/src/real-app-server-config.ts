type Values = Readonly<Record<string, string | number | boolean>>;

/** The config.toml of an isolated server: our settings, overridden key by key by `extra`. */
export function serverConfig(baseUrl: string, extra: string): string {
  const provider: Values = {
    name: "mock",
    base_url: baseUrl,
    wire_api: "responses",
    request_max_retries: 0,
    stream_max_retries: 0,
  };
  const tables: Record<string, Values> = {
    analytics: { enabled: false },
    feedback: { enabled: false },
    // Both are off: Codex would fetch plugins from the network at every start, and would retry a dead model
    // forever.
    features: { plugins: false, unbounded_connection_retries: false },
    // The workspace is in the temp folder. By default, the sandbox makes all of the temp folder writable.
    sandbox_workspace_write: { exclude_slash_tmp: true, exclude_tmpdir_env_var: true },
    "model_providers.mock": provider,
  };
  const top: Values = { model: "mock-model", model_provider: "mock", check_for_update_on_startup: false };

  // TOML allows a table only once. If the file is invalid, Codex uses its defaults, which allow network access. So our
  // keys are added to the caller's tables.
  const [head = "", ...rest] = `\n${extra}`.split(HEADER);
  const sections = [withDefaults("", head, top), ...rest];
  for (const [name, values] of Object.entries(tables)) {
    const header = `[${name}]`;
    const found = sections.findIndex((section) => section.trimStart().startsWith(header));
    const [first = header, ...lines] = (sections[found] ?? header).trim().split("\n");
    sections[found === -1 ? sections.length : found] = withDefaults(first, lines.join("\n"), values);
  }
  return `${sections.map((section) => section.trim()).join("\n\n")}\n`;
}

/** The position before a line that contains only the name of a table. */
const HEADER = /^(?=[ \t]*\[.+\][ \t]*(?:#.*)?$)/m;

/** A table: its header, the `values` that `text` does not set, and `text`. */
function withDefaults(header: string, text: string, values: Values): string {
  const own = Object.entries(values)
    .filter(([key]) => !new RegExp(String.raw`^[ \t]*${key}[ \t]*=`, "m").test(text))
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [header, ...own, text].filter((part) => part !== "").join("\n");
}
