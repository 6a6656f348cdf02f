import path from "node:path";

/** The variables that each server inherits. As in Codex. */
const INHERITED = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "USER",
  "__CF_USER_TEXT_ENCODING",
  "LANG",
  "LC_ALL",
  "TERM",
  "TMPDIR",
  "TZ",
];
/** Variables with the file of the machine's own certificates. A server in another folder needs their absolute path. */
const CERTIFICATES = [
  "CODEX_CA_CERTIFICATE",
  "SSL_CERT_FILE",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "NODE_EXTRA_CA_CERTS",
  "GIT_SSL_CAINFO",
  "CARGO_HTTP_CAINFO",
  "PIP_CERT",
  "BUNDLE_SSL_CA_CERT",
  "npm_config_cafile",
  "NPM_CONFIG_CAFILE",
];

/**
 * The environment of a server that runs as a process. It has no other variable of this process than the usual ones and
 * those that the user's configuration names, so no keys.
 */
export function serverEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  { env, envVars }: { readonly env: Readonly<Record<string, string>>; readonly envVars: readonly string[] },
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of [...INHERITED, ...envVars]) {
    const value = inherited[name];
    if (value !== undefined) result[name] = value;
  }
  for (const name of CERTIFICATES) {
    const value = inherited[name];
    if (value) result[name] = path.resolve(value);
  }
  return { ...result, ...env };
}
