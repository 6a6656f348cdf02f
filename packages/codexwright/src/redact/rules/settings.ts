import { isSecretEnv, isSecretName } from "../secret-fields.ts";
import { looksDrawn } from "./entropy.ts";
import { hasDigit, type Shape } from "./shape.ts";

const SECRET = "([A-Za-z0-9]{4}[0-9][A-Z][a-z][A-Z0-9]{3}[a-z][0-9])";

function isMade(value: string): boolean {
  return /[A-Za-z]/.test(value) && (hasDigit(value) || looksDrawn(value)) && !/\$\{|\{\{|\$\(/.test(value);
}

/** Matches secrets that follow their names, if something other than `=` or `:` joins the two. */
export const SETTINGS: readonly Shape[] = [
  {
    kind: "password in a sentence",
    keywords: ["password", "passphrase", "passcode", "key", "token", "secret"],
    where: "text",
    pattern:
      /\b(?:password|passphrase|passcode|api[ _-]?key|secret(?: key)?|access (?:key|token)|token)[ \t]{1,4}(?:is|was|will be|to)(?:[ \t]{1,4}now)?:?[ \t]{1,4}["'`]?([^\s"'`,;<>(){}]{8,256})/di,
    group: 1,
    holds: ([, value = ""]) =>
      hasDigit(value) && looksDrawn(value.replace(/[.!?]$/, "")) && !/^[[\\/$]/.test(value),
    samples: [`the api key is ${SECRET} now`],
  },
  {
    // `os.environ["API_KEY"] = "…"`, `config['password'] = '…'`, `setenv("API_KEY", "…")`, `:secret => "…"`
    kind: "value of a quoted name",
    keywords: ["key", "token", "secret", "passw", "credential"],
    where: "text",
    pattern:
      /["':]([A-Za-z_][\w.-]{2,63})["']?(?:\]\s{0,8}=|\s{0,8},|\s{0,8}=>)\s{0,8}["']([^\s"'\\]{8,512})["']/d,
    group: 2,
    again: true,
    holds: ([, name = "", value = ""]) =>
      (isSecretEnv(name) || isSecretName(name)) &&
      hasDigit(value) &&
      (/^[a-f0-9]{32,128}$/.test(value) || looksDrawn(value)) &&
      isMade(value),
    samples: [`os.environ\\["TOGETHER_API_KEY"\\] = "${SECRET}"`],
  },
  {
    // The value may have any characters, up to its closing quote.
    kind: "quoted variable",
    keywords: ["key", "token", "secret", "passw"],
    where: "text",
    pattern: /(?<![\w.-])([A-Za-z_][\w.-]{2,63})\s{0,8}[=:]\s{0,8}(["'])([^\s"'`\\]{12,512})\2/d,
    group: 3,
    again: true,
    holds: ([, name = "", , value = ""]) =>
      (isSecretEnv(name) || isSecretName(name)) && hasDigit(value) && looksChaotic(value) && isMade(value),
    samples: [
      `SECRET_KEY = '(django-insecure-[a-z0-9]{5}[(&][0-9][#%][a-z][!)][a-z0-9]{2}[&^][a-z][*][0-9][a-z][(][a-z][=])'`,
    ],
  },
  {
    kind: "variable of an image or of Windows",
    keywords: ["setx", "env ", "arg ", "setenv"],
    where: "text",
    pattern: /\b(?:setx|ENV|ARG|setenv)[ \t]{1,8}([A-Z][A-Z0-9_]{2,63})[ \t]{1,8}["']?([^\s"'$=]{8,512})/d,
    group: 2,
    again: true,
    holds: ([, name = "", value = ""]) => isSecretEnv(name) && hasDigit(value),
    samples: [`ENV NPM_TOKEN ${SECRET}`, `setx MY_SECRET "${SECRET}"`],
  },
  {
    kind: "setting of XML",
    keywords: ["value="],
    where: "text",
    pattern:
      /(?:key|name)="[\w.:-]{0,64}(?:password|apikey|api-key|secret|token|accesskey)"\s{1,8}value="([^"\s]{8,512})"/di,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value) && isMade(value),
    samples: [`<add key="ApiKey" value="${SECRET}" />`],
  },
  {
    kind: "JSON web key",
    keywords: ['kty"'],
    where: "text",
    pattern: /"(?:d|p|q|dp|dq|qi|k)"\s{0,8}:\s{0,8}"([\w-]{20,4096})"/d,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value),
    samples: [`{"kty":"EC","crv":"P-256","d":"([A-Za-z0-9_-]{42}0)"}`],
  },
  {
    kind: "words of a wallet",
    keywords: ["mnemonic", "phrase"],
    where: "text",
    pattern:
      /(?:mnemonic|(?:seed|recovery|secret)[ _-]?phrase)["']?\s{0,4}(?:[:=]|is)\s{0,4}\\?["']?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z ]{0,64}[.,])/di,
    group: 1,
    samples: [`mnemonic: ((?:[a-z]{5} ){11}[a-z]{4})`],
  },
  {
    kind: "code of a wireless network",
    keywords: ["wifi:"],
    where: "at",
    pattern: /WIFI:[^\r\n]{0,128}?P:([^;\s]{8,64});/d,
    group: 1,
    samples: [`WIFI:T:WPA;S:home;P:${SECRET};;`],
  },
  {
    kind: "file of Ansible Vault",
    keywords: ["$ansible_vault"],
    where: "at",
    pattern: /\$ANSIBLE_VAULT;[\w.;-]{1,64}((?:\s{1,16}[+>|]?\s{0,8}[0-9a-f]{8,80}){1,4096})/d,
    group: 1,
    samples: [`\\$ANSIBLE_VAULT;1\\.1;AES256\n([0-9]{80}\n[0-9]{80})`],
  },
  {
    kind: "password of an account of Windows",
    keywords: ["net user", "createuser"],
    where: "at",
    pattern:
      /(?:net user \S{1,64} ([^\s/*"'][^\s"']{5,128}) \/add|createUser \S{1,64} (?:MD5|SHA[\d-]{0,4}) "?([^\s"]{8,64}))/di,
    holds: ([, one = "", two = ""]) => isMade(one || two),
    samples: [`net user admin ${SECRET} /add`],
  },
];

/** Whether a value has many punctuation marks among its letters, unlike a word, a path or a call. */
function looksChaotic(value: string): boolean {
  const marks = value.replaceAll(/[\w./:-]/g, "").length;
  return marks >= 3 && new Set(value).size >= 12 && !/^\W|[<>{}]|\w\(\w*\)/.test(value);
}
