type Values = Readonly<Record<string, string | number | boolean>>;

/** The config.toml of an isolated server: our settings, overridden key by key by what `extra` sets. */
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
    // Plugins are fetched from the network at every start; the other one retries a dead model for ever.
    features: { plugins: false, unbounded_connection_retries: false },
    // The workspace lies in the temp folder, and by default all of that is writable from the sandbox.
    sandbox_workspace_write: { exclude_slash_tmp: true, exclude_tmpdir_env_var: true },
    "model_providers.mock": provider,
  };
  const top: Values = { model: "mock-model", model_provider: "mock", check_for_update_on_startup: false };

  // A table may stand in TOML only once, and with an invalid file Codex runs on its defaults, network included:
  // so our keys go into the caller's tables.
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

/** The place before a line that holds nothing but the name of a table. */
const HEADER = /^(?=[ \t]*\[.+\][ \t]*(?:#.*)?$)/m;

/** A table: its header, of `values` those that `text` does not set, and `text`. */
function withDefaults(header: string, text: string, values: Values): string {
  const own = Object.entries(values)
    .filter(([key]) => !new RegExp(String.raw`^[ \t]*${key}[ \t]*=`, "m").test(text))
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [header, ...own, text].filter((part) => part !== "").join("\n");
}
