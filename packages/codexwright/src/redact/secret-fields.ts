/** The kind of value that a member of a message holds, judged by its name and the name of its parent. */
export type FieldKind = "secret" | "env" | "plain";

/** Member names whose values are secrets, in lower case and without `_` and `-`. */
const SECRETS = new Set([
  "token",
  "jwt",
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "usercode",
  "devicecode",
  "codeverifier",
  "authorizationcode",
  // Not a secret, but personal data.
  "email",
]);
const SECRET_ENDS =
  /(?:apikey|accesstoken|idtoken|refreshtoken|authtoken|bearertoken|sessiontoken|accesskey|accesskeyid|privatekey|secret|password|passwd|passphrase)$/;

/** Names of environment variables whose values are secrets. */
const SECRET_ENV = /(?:KEY|TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|MYSQL_PWD)S?(?:_|$)/i;

/** Headers that reveal nothing about the sender. */
const HARMLESS_HEADERS = new Set([
  "accept",
  "acceptencoding",
  "contentlength",
  "contenttype",
  "host",
  "useragent",
]);

/** A command-line flag whose next word is a secret. */
const SECRET_FLAG = /^--?[\w-]*(?:key|token|secret|password|passwd)$/i;

export function isSecretName(name: string): boolean {
  const spelled = plain(name);
  return SECRETS.has(spelled) || SECRET_ENDS.test(spelled);
}

export function isSecretEnv(name: string): boolean {
  return SECRET_ENV.test(name);
}

export function isSecretFlag(word: unknown): boolean {
  return typeof word === "string" && SECRET_FLAG.test(word);
}

/**
 * Classifies a member by its path. Names may be dotted paths, as in `config: { "mcp_servers.x.env.TOKEN": … }`.
 *
 * @param path the names that lead to the member, its own name last
 */
export function fieldKind(path: readonly string[]): FieldKind {
  const last = path.slice(-3);
  const names = last.some((segment) => segment.includes("."))
    ? last.flatMap((each) => each.split("."))
    : last;
  const parent = plain(names.at(-2));
  if (parent === "env" || (parent === "set" && plain(names.at(-3)) === "shellenvironmentpolicy"))
    return "env";
  const name = names.at(-1) ?? "";
  if (parent === "headers" || parent === "httpheaders")
    return HARMLESS_HEADERS.has(plain(name)) ? "plain" : "secret";
  return isSecretName(name) ? "secret" : "plain";
}

function plain(name = ""): string {
  const lower = name.toLowerCase();
  return /[_-]/.test(lower) ? lower.replaceAll(/[_-]/g, "") : lower;
}
