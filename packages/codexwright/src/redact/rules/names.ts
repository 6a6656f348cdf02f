import { isSecretEnv, isSecretName } from "../secret-fields.ts";
import { looksDrawn } from "./entropy.ts";
import { hasDigit, type Shape } from "./shape.ts";

/** What is in every name that says of its value that it is a secret. */
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

/** A name of which a short word may be the value, too: `"cookie": "cookie"`. */
const WORDY = /^(?:token|jwt|authorization|cookie|set-?cookie)$/i;
const CODE = /^[A-Za-z_$][\w$]{0,30}\.[A-Za-z_$][\w$.]*(?:[-+*/]\w+)?$/;
const NUMBER = /^[\d._]+$/;
const VERSION = /^\d+(?:[._]\d+)+$/;

/** `$NAME`, `${NAME}` or `$name/file` of a shell. */
const REFERENCE = /^\$(?:\{?(?:[A-Z_][A-Z0-9_]*|[a-z_]+)(?:[}/:]|$)|\()/;

function spelled(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** `TESTS_PASS=1234` is a count and `NAME_PAT=*.c1` a pattern. */
function isMixed(value: string): boolean {
  return value.length >= 6 && hasDigit(value) && /[A-Za-z]/.test(value) && !/[*?^]/.test(value);
}

/** A password that a program made, perhaps with the end of a file's name behind it. */
function isDrawn(value: string): boolean {
  const [word = ""] = value.split(".");
  return word.length >= 10 && looksDrawn(word);
}

/** Whether a member of JSON is a secret. Addresses are everybody's in the files of a repository. */
function isSecretMember([, name = "", value = ""]: RegExpExecArray): boolean {
  if (value.length < 3) return false;
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return isSecretEnv(name);
  if (!isSecretName(name) || /e-?mail$/i.test(name)) return false;
  return !WORDY.test(name) || hasDigit(value) || value.length >= 20;
}

/** Whether a value is a secret and not a part of a program, by its name and by how both are written. */
function isSecretVariable(match: RegExpExecArray): boolean {
  const [whole, written = "", separator = "", quote = "", value = ""] = match;
  // `backup-API_TOKEN=…`
  const name = /[a-z0-9][.-]([A-Z][A-Z0-9]*_[A-Z0-9_]+)$/.exec(written)?.[1] ?? written;
  // A call, or a word of a program.
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

/** Values that are secrets by their names: variables, members of JSON, settings. */
export const NAMED_VALUES: readonly Shape[] = [
  // `"apiKey": "…"` within a text, as in a file or in arguments that are JSON themselves.
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
  // `API_TOKEN=…` of a shell or `env`; `password: …` only if the value does not look like a word of a program.
  {
    kind: "variable",
    keywords: NAMES,
    where: "text",
    pattern:
      /(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]{2,63})(\s?[=:]\s?)\\?(["']?)([^\s"'`,;&|<>(){}[\]\\]{4,512})/d,
    group: 4,
    // In `note: API_TOKEN=…` the name is the second one.
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
