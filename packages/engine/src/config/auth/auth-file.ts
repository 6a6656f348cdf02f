import path from "node:path";
import { isJsonObject } from "codexwright/internal";
import { ConfigError } from "../config-error.ts";
import { readText } from "../read-text.ts";

/** The login of a user. ChatGPT logins are recognized, but not used. */
export type Login =
  | { readonly kind: "none" | "chatgpt" }
  | { readonly kind: "apiKey"; readonly key: string; readonly from: "environment" | "auth.json" };

/** Reads the OpenAI key: CODEX_API_KEY, then `auth.json`, then OPENAI_API_KEY. */
export async function readLogin(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ login: Login; warnings: string[] }> {
  const own = env["CODEX_API_KEY"]?.trim();
  if (own) return { login: { kind: "apiKey", key: own, from: "environment" }, warnings: [] };
  const file = path.join(home, "auth.json");
  const found = await readText(file);
  const warnings =
    found && process.platform !== "win32" && (found.mode & 0o077) !== 0
      ? [`${file}: other users can read this file: run chmod 600`]
      : [];
  const saved = found ? parsed(file, found.text) : {};
  const key = saved["OPENAI_API_KEY"];
  if (key !== undefined && key !== null && typeof key !== "string") {
    throw new ConfigError(file, "must be a string or null", "OPENAI_API_KEY");
  }
  if (typeof key === "string" && key.trim() !== "") {
    return { login: { kind: "apiKey", key: key.trim(), from: "auth.json" }, warnings };
  }
  const general = env["OPENAI_API_KEY"]?.trim();
  if (general) return { login: { kind: "apiKey", key: general, from: "environment" }, warnings };
  return { login: { kind: isJsonObject(saved["tokens"]) ? "chatgpt" : "none" }, warnings };
}

function parsed(file: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the parser would quote the file.
  }
  if (!isJsonObject(value)) throw new ConfigError(file, "must contain a JSON object");
  return value;
}
