import { isSecretEnv, isSecretName } from "../secret-fields.ts";
import { looksDrawn } from "./entropy.ts";
import { hasDigit, type Shape } from "./shape.ts";

/** Every name that marks its value as a secret contains one of these. */
const NAMES = [
  "key",
  "token",
  "secret",
  "passw",
  "_pass",
  "passphrase",
  "credential",
  "jwt",
  "email",
  "cookie",
  "code",
  "authorization",
  "_pwd",
  "_pat",
];
const SECRET = "([A-Za-z0-9]{14}[0-9])";

/** A name whose value may also be an ordinary short word: `"cookie": "cookie"`. */
const WORDY = /^(?:token|jwt|authorization|cookie|set-?cookie)$/i;
const CODE = /^[A-Za-z_$][\w$]{0,30}\.[A-Za-z_$][\w$.]*(?:[-+*/]\w+)?$/;
const NUMBER = /^[\d._]+$/;
const VERSION = /^\d+(?:[._]\d+)+$/;

/** Matches the shell references `$NAME`, `${NAME}` and `$name/file`. */
const REFERENCE = /^\$(?:\{?(?:[A-Z_][A-Z0-9_]*|[a-z_]+)(?:[}/:]|$)|\()/;

function spelled(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Excludes counts and patterns: `TESTS_PASS=1234` is a count, and `NAME_PAT=*.c1` is a pattern. */
function isMixed(value: string): boolean {
  return value.length >= 6 && hasDigit(value) && /[A-Za-z]/.test(value) && !/[*?^]/.test(value);
}

/** Whether a value looks like a randomly generated password. A file extension may follow it. */
function isDrawn(value: string): boolean {
  const [word = ""] = value.split(".");
  return word.length >= 10 && looksDrawn(word);
}

/** Whether a JSON member is a secret. Email addresses are not, because they are public in the files of a repository. */
function isSecretMember([, name = "", value = ""]: RegExpExecArray): boolean {
  if (value.length < 3) return false;
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return isSecretEnv(name);
  if (!isSecretName(name) || /e-?mail$/i.test(name)) return false;
  return !WORDY.test(name) || hasDigit(value) || value.length >= 20;
}

/** Whether a value is a secret rather than part of a program, judged by its name and by how both are written. */
function isSecretVariable(match: RegExpExecArray): boolean {
  const [whole, written = "", separator = "", quote = "", value = ""] = match;
  // `backup-API_TOKEN=…`
  const name = /[a-z0-9][.-]([A-Z][A-Z0-9]*_[A-Z0-9_]+)$/.exec(written)?.[1] ?? written;
  // Skips calls and identifiers of a program.
  if (
    match.input[match.index + whole.length] === "(" ||
    (quote === "" && CODE.test(value) && !isDrawn(value))
  )
    return false;
  if (/^\/[/*]/.test(value) || REFERENCE.test(value) || /^[A-Z_]+$/.test(value)) return false;
  if (spelled(name).endsWith(spelled(value))) return false;
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) {
    if (!isSecretEnv(name)) return /_(?:PASS|PAT)$/.test(name) && isMixed(value);
    return (
      separator === "=" ||
      (hasDigit(value) && value.length >= 6 && !NUMBER.test(value) && !value.startsWith("/"))
    );
  }
  if (/e-?mail$/i.test(name)) return false;
  if (!isSecretName(name) && !/[_-](?:token|secret|password|passwd|pass)$/i.test(name)) return false;
  if (hasDigit(value))
    return value.length >= 6 && (quote !== "" || !NUMBER.test(value)) && !VERSION.test(value);
  if (isDrawn(value) && !CODE.test(value)) return true;
  return quote !== "" && value.length >= 16 && /secret|passw|passphrase/i.test(name);
}

/** Matches values that are secrets because of their names: variables, JSON members and settings. */
export const NAMED_VALUES: readonly Shape[] = [
  // Matches `"apiKey": "…"` within a text, as in a file or in arguments that are themselves JSON.
  {
    kind: "member of JSON",
    keywords: NAMES,
    where: "text",
    pattern: /"([\w.-]{2,64})"\s*:\s*"((?:[^"\\]|\\.)+)"/ds,
    group: 2,
    holds: isSecretMember,
    samples: [`{"client_secret": "${SECRET}"}`, `{"DB_PASSWORD":"${SECRET}"}`],
  },
  {
    kind: "member of JSON inside JSON",
    keywords: NAMES,
    where: "text",
    pattern: /\\"([\w.-]{2,64})\\"\s*:\s*\\"((?:[^"\\]|\\[^"])+)\\"/ds,
    group: 2,
    holds: isSecretMember,
    samples: [`{"body":"{\\\\"apiKey\\\\":\\\\"${SECRET}\\\\"}"}`],
  },
  // Matches `API_TOKEN=…` in a shell or `env`, and `password: …` if the value does not look like part of a program.
  {
    kind: "variable",
    keywords: NAMES,
    where: "text",
    pattern:
      /(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]{2,63})(\s?[=:]\s?)\\?(["']?)([^\s"'`,;&|<>(){}[\]\\]{4,512})/d,
    group: 4,
    // In `note: API_TOKEN=…` the second name counts.
    again: true,
    holds: isSecretVariable,
    samples: [
      `export FOO_TOKEN=${SECRET}`,
      `PGPASSWORD=${SECRET} psql -h db`,
      `MYSQL_PWD=${SECRET} mysql`,
      `password = "${SECRET}"`,
      `aws_secret_access_key = ([A-Za-z0-9/+]{39}0)`,
      `github_token: ${SECRET}`,
      `refused: license_key: ${SECRET}`,
      `note: SECRET_KEY = '${SECRET}'`,
      `DB_PASS=${SECRET}`,
      `AZURE_DEVOPS_EXT_PAT=${SECRET}`,
      `ansible_become_pass: ${SECRET}`,
      `PrivateKey = ([A-Za-z0-9+/]{42}0=)`,
    ],
  },
];
