import type { Range } from "./range.ts";
import { isSecretEnv, isSecretName } from "./secret-fields.ts";

interface Pattern {
  readonly regexp: RegExp;
  /** The group that is the secret; default: the whole match. */
  readonly group?: number;
  /** Whether a match is one, where its shape alone does not tell. */
  readonly holds?: (match: RegExpExecArray) => boolean;
}

const hasDigit = (text: string): boolean => /\d/.test(text);

const PATTERNS: readonly Pattern[] = [
  { regexp: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{12,}/dg },
  // From the beginning of a word only, and of one with a dot behind it: a text of many beginnings would otherwise be
  // read to its own end from each of them.
  { regexp: /(?<![\w-])(?=[\w-]+\.)(?:[\w-]*?[_-])??(eyJ[\w-]{5,}(?:\.[\w-]*){1,4})/dg, group: 1 },
  {
    regexp:
      /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|[sr]k_(?:live|test)_)[A-Za-z0-9_-]{12,}/dg,
  },
  { regexp: /(?<![A-Za-z0-9])(?:npm|hf|dop_v1)_[A-Za-z0-9]{30,}/dg },
  { regexp: /hooks\.slack\.com\/services\/([\w/]{20,})/dg, group: 1 },
  { regexp: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/dg },
  {
    regexp: /\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})/dgi,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value) || value.length >= 20,
  },
  {
    regexp:
      /\b(?:proxy-)?(?:authorization|x-api-key|api-key|cookie)\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|token)\s+)?([^\s"',;\\]{4,})/dgi,
    group: 1,
    holds: ([, value = ""]) => !/^(?:bearer|basic|token)$/i.test(value),
  },
  // Headers of several words: up to the quote that they or their value began with, else to the end of the line.
  {
    regexp:
      /\b(?:(?:proxy-)?authorization|(?:set-)?cookie)\\?["']?\s*[:=]\s*\\?(["'])(?!(?:bearer|basic|token)\s)([^\r\n]{4,}?)\\?\1/dgi,
    group: 2,
  },
  {
    regexp:
      /(["'])(?:(?:proxy-)?authorization|(?:set-)?cookie)\s*:\s*(?!(?:bearer|basic|token)\s)([^\s"'\\][^\r\n]{3,}?)\\?\1/dgi,
    group: 2,
  },
  {
    regexp:
      /(?<![\w"'-])(?:(?:proxy-)?authorization|(?:set-)?cookie):[ \t]*(?!(?:bearer|basic|token)\s)([^\s"'\\][^\r\n]{3,})/dgi,
    group: 1,
  },
  // `--password=…` and `--token …`; a `--key` is often none.
  {
    regexp:
      /(?<![\w-])--?([\w-]*(?:key|token|secret|password|passwd))(?:=|\s+)\\?["']?([^\s"'\\-][^\s"'\\]{3,})/dgi,
    group: 2,
    holds: ([, name = "", value = ""]) =>
      hasDigit(value) || value.length >= 16 || /passw(?:or)?d$/i.test(name),
  },
  {
    regexp: /(?<![\w-])(?:-u|--user)(?:=|\s+)["']?[^\s:"'=][^\s:"']{0,255}:([^\s"'\\]{4,})/dg,
    group: 1,
    holds: ([, value = ""]) => /[A-Za-z]/.test(value),
  },
  // Flags of one letter, of the programs where they mean a password.
  {
    regexp: /\b(?:mysql|mariadb)[\w-]{0,32}\s(?:[^\r\n|;&]{0,255}?\s)??-p\\?["']?([^\s"'\\]{3,})/dg,
    group: 1,
  },
  { regexp: /\bsshpass\s{1,8}-p\s{0,8}\\?["']?([^\s"'\\]{3,})/dg, group: 1 },
  { regexp: /\bredis-cli\s(?:[^\r\n|;&]{0,255}?\s)??-a\s{1,8}\\?["']?([^\s"'\\]{3,})/dg, group: 1 },
  // A `.netrc`: `machine … login … password …`, on one line or several.
  {
    regexp:
      /\b(?:machine\s{1,64}(?:[\w-]{1,255}\.[\w.-]{1,255}|\S{1,255}(?=\s{1,64}login\s))|default(?=\s{1,64}login\s))(?:\s{1,64}(?:login|account)\s{1,64}\S{1,255}){0,2}\s{1,64}password\s{1,64}(\S{3,})/dg,
    group: 1,
  },
  // `"apiKey": "…"` within a text, as in a file or in arguments that are JSON themselves.
  {
    regexp: /"([\w.-]{2,64})"\s*:\s*"((?:[^"\\]|\\.)+)"/dgs,
    group: 2,
    holds: ([, name = ""]) => isSecretName(name) || isSecretEnv(name),
  },
  {
    regexp: /\\"([\w.-]{2,64})\\"\s*:\s*\\"((?:[^"\\]|\\[^"])+)\\"/dgs,
    group: 2,
    holds: ([, name = ""]) => isSecretName(name) || isSecretEnv(name),
  },
  // `API_TOKEN=…` of a shell or `env`; `password: …` only where the value does not look like a word of a program.
  {
    regexp:
      /(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]{2,63})\s?[=:]\s?\\?["']?([^\s"'`,;&|<>(){}[\]\\]{4,})/dg,
    group: 2,
    holds: ([, name = "", value = ""]) =>
      /^[A-Z][A-Z0-9_]*$/.test(name)
        ? isSecretEnv(name)
        : (isSecretName(name) || /[_-](?:token|secret|password|passwd)$/i.test(name)) &&
          ((hasDigit(value) && value.length >= 6) || value.length >= 16),
  },
  {
    regexp:
      /[?&](?:code|state|nonce|token|access_token|id_token|refresh_token|api_?key|key|sig|signature|client_secret|code_verifier|code_challenge|login_hint)=([^&\s"'#\\]{4,})/dgi,
    group: 1,
  },
  { regexp: /:\/\/[^/\s:@"']*:([^/\s@"']+)@/dg, group: 1 },
  {
    regexp: /:\/\/([^/\s:@"']{8,512})@/dg,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value) || value.length >= 20,
  },
];

/** Nothing of the above can match where this does not. */
const HINT =
  /sk-|eyJ|gh[pousr]_|github_pat_|glpat-|npm_|hf_|dop_v1_|hooks\.slack|xox|xapp-|AKIA|ASIA|AIza|ya29|[sr]k_(?:live|test)|mysql|mariadb|sshpass|redis-cli|_PWD|PRIVATE KEY|bearer|basic|authorization|cookie|key|token|secret|passw|passphrase|credential|jwt|email|[?&]\w+=|code|-u[\s=]|--user|:\/\/[^/\s]*@/i;

/** The end of a word that may be the beginning of a secret. */
const UNFINISHED_WORD =
  /(?<![\w.-])(?:sk?|sk-[\w-]*|ey?|eyJ[\w.-]*|(?:gh?|gh[pousr]|github_?|github_pat|gl|glpat|np|npm|hf|xo|xox[abeoprs]?)(?:[_-][\w-]*)?)$|(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]*(?:=[^]*)?$/;

/** The end of a text that may be: of several words. */
const UNFINISHED_WORDS =
  /(?<![A-Za-z0-9])(?:(?:[Bb]earer|[Bb]asic|[Aa]uthorization:?)(?:\s+[\w.~+/=-]*)?|-{1,5}(?:BEGIN [^]*)?)$/;

/** How much of a text's end is looked at: as long as tokens get. */
const LONGEST = 8_192;

/** What is up to here ends a word. */
const SPACE = 0x20;

/** Where in a text something looks like a secret. */
export function secretLooking(text: string): Range[] {
  if (!HINT.test(text)) return [];
  return PATTERNS.flatMap(({ regexp, group = 0, holds }) => {
    const found: Range[] = [];
    for (const match of text.matchAll(regexp)) {
      const at = match.indices?.[group];
      if (at && (holds?.(match) ?? true)) found.push({ start: at[0], end: at[1] });
    }
    return found;
  });
}

/** Where the end of a text begins that may turn out to be a secret once more text follows; its length if nowhere. */
export function unfinishedAt(text: string): number {
  const from = Math.max(0, text.length - LONGEST);
  let word = text.length;
  while (word > from && text.charCodeAt(word - 1) > SPACE) word--;
  return Math.min(firstAt(text, from, UNFINISHED_WORDS), firstAt(text, word, UNFINISHED_WORD));
}

/** Where a pattern is first found from a place on; the text's length if nowhere. */
function firstAt(text: string, from: number, regexp: RegExp): number {
  const at = regexp.exec(from === 0 ? text : text.slice(from))?.index;
  return at === undefined ? text.length : from + at;
}
