import { looksDrawn } from "./entropy.ts";
import { hasDigit, type Shape } from "./shape.ts";

const SECRET = "([A-Za-z0-9]{11}[0-9])";
/** A value, with or without quotes. */
const VALUE = String.raw`\\?["']?([^\s"'\\]{3,})`;

/**
 * Creates the shape of a program with a one-letter flag that takes a password. Other options may come before the flag
 * on the same line.
 */
function flag(kind: string, programs: string, letter: string, samples: readonly string[]): Shape {
  const options = String.raw`(?:[^\r\n|;&]{0,255}?\s)??`;
  return {
    kind,
    keywords: programs.split("|"),
    where: "text",
    pattern: new RegExp(String.raw`\b(?:${programs})[\w-]{0,32}\s${options}${letter}${VALUE}`, "d"),
    group: 1,
    samples,
  };
}

/** Matches passwords and keys on command lines. */
export const COMMAND_LINES: readonly Shape[] = [
  // Matches `--password=…` and `--token …`. A `--key` is often not a secret.
  {
    kind: "flag of a secret",
    keywords: ["key", "token", "secret", "pass", "pwd", "bearer"],
    where: "text",
    pattern:
      /(?<![\w-])--?([\w-]*(?:key|token|secret|password|passwd|passphrase|pass|pwd|bearer))(?:=|\s+)\\?["']?([^\s"'\\-][^\s"'\\]{3,})/di,
    group: 2,
    holds: ([, name = "", value = ""]) => {
      if (/^[`…]|^\$[{(\w]/.test(value)) return false;
      // `--group General --key Name`, `-newkey rsa:2048`
      if (/key$/i.test(name) && !/(?:api|auth|access|secret|private|master|license|app)[_-]?key$/i.test(name))
        return hasDigit(value) && value.length >= 16;
      return hasDigit(value) || value.length >= 16 || /passw(?:or)?d$/i.test(name);
    },
    samples: [
      `tool --password ${SECRET}`,
      `mongosh --password=${SECRET} db`,
      `kubectl --token=${SECRET} get pods`,
      `gpg --batch --passphrase ${SECRET} -c file`,
      `curl --oauth2-bearer ${SECRET} https://example.test`,
      `stripe --api-key ${SECRET} charges`,
    ],
  },
  {
    kind: "name and password",
    keywords: ["-u", "--user", "--proxy-user", "-a "],
    where: "text",
    pattern:
      /(?<![\w-])(?:-u|--user|--proxy-user|(?<=\bhttps?\s{1,8})-a)(?:=|\s+)["']?[^\s:"'=][^\s:"']{0,255}:([^\s"'\\]{4,})/d,
    group: 1,
    holds: ([, value = ""]) => /[A-Za-z]/.test(value) && !/^\$[A-Z{(]/.test(value),
    samples: [`curl -u me:${SECRET} https://example.test`, `curl --user "me:${SECRET}" https://example.test`],
  },
  flag("password of MySQL", "mysql|mariadb", "-p", [`mysql -h db -u root -p${SECRET} app`]),
  flag("password of sshpass", "sshpass", String.raw`-p\s{0,8}`, [`sshpass -p ${SECRET} ssh me@example.test`]),
  flag("password of Redis", "redis-cli", String.raw`-a\s{1,8}`, [`redis-cli -h cache -a ${SECRET} ping`]),
  flag(
    "password of a registry",
    "docker|podman|nerdctl|buildah|skopeo|helm|oras",
    String.raw`login\s(?:[^\r\n|;&]{0,127}?\s)??-p[\s=]{1,8}`,
    [
      `docker login -u me -p ${SECRET} registry.example.test`,
      `podman login registry.example.test -u me -p ${SECRET}`,
    ],
  ),
  flag("password of LDAP", "ldapsearch|ldapmodify|ldapadd|ldapwhoami", String.raw`-w\s{1,8}`, [
    `ldapsearch -x -D cn=admin -w ${SECRET} -b dc=example`,
  ]),
  flag(
    "value of a secret of GitHub",
    "gh",
    String.raw`(?:secret|variable)\sset\s(?:[^\r\n|;&]{0,127}?\s)??(?:-b|--body)[\s=]{1,8}`,
    [`gh secret set DEPLOY --body "${SECRET}"`],
  ),
  flag("password of SQL Server", "sqlcmd|bcp", String.raw`-P\s{0,8}`, [`sqlcmd -S db -U sa -P ${SECRET}`]),
  flag("password of an archive", "zip|unzip|7z|7za|rar|unrar", String.raw`-[pP]\s{0,8}`, [
    `unzip -P ${SECRET} a.zip`,
    `7z a -p${SECRET} a.7z file`,
  ]),
  flag(
    "password of htpasswd",
    "htpasswd",
    String.raw`-\w{0,8}b\w{0,8}\s{1,8}\S{1,255}\s{1,8}\S{1,255}\s{1,8}`,
    [`htpasswd -cb .htpasswd me ${SECRET}`],
  ),
  {
    kind: "password of Samba",
    keywords: ["smbclient", "mount.cifs", "smbget", "rpcclient"],
    where: "text",
    pattern:
      /\b(?:smbclient|smbget|rpcclient)\s(?:[^\r\n|;&]{0,255}?\s)??-U\s{0,8}["']?[^\s%"']{1,255}%([^\s"'\\]{3,})/d,
    group: 1,
    samples: [`smbclient //host/share -U me%${SECRET}`],
  },
  {
    kind: "password of OpenSSL or a remote desktop",
    keywords: ["pass:", "/p:"],
    where: "text",
    pattern: /(?:-pass(?:in|out)?\s{1,8}pass:|\bxfreerdp\s(?:[^\r\n|;&]{0,255}?\s)??\/p:)([^\s"'\\]{3,})/d,
    group: 1,
    samples: [`openssl rsa -in key.pem -passin pass:${SECRET}`, `xfreerdp /u:me /p:${SECRET} /v:host`],
  },
  flag("password of openssl enc", "openssl", String.raw`enc\s(?:[^\r\n|;&]{0,127}?\s)??-[kK]\s{1,8}`, [
    `openssl enc -aes-256-cbc -k ${SECRET} -in a -out b`,
  ]),
  {
    kind: "password of a shared folder",
    keywords: ["net use"],
    where: "text",
    pattern: /\bnet use\s[^\r\n|;&]{0,255}?\/user:\S{1,255}\s{1,8}["']?([^\s"'/][^\s"']{3,})/di,
    group: 1,
    samples: [`net use Z: //host/share /user:me ${SECRET}`],
  },
  {
    kind: "password that is piped into a command",
    keywords: ["echo", "printf"],
    where: "text",
    pattern:
      /\b(?:echo|printf)\s{1,8}(?:-\w{1,3}\s{1,8})?\\?["']?([^\s"'|\\$<>]{4,512})(?:\\n)?\\?["']?\s{0,8}\|\s{0,8}(?:sudo\s{1,8}-S\b|(?:[^\r\n|;&]{0,255}?\s)??(?:--password-stdin|--passphrase-fd|--with-token|chpasswd\b|passwd\s{1,8}--stdin))/d,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value) || looksDrawn(value),
    samples: [
      `echo "${SECRET}" \\| docker login -u me --password-stdin`,
      `echo 'root:${SECRET}' \\| chpasswd`,
      `echo ${SECRET} \\| sudo -S apt update`,
    ],
  },
  {
    kind: "credentials as words of a command",
    keywords: ["vault login", "aws configure set", "_authtoken", "npm config set"],
    where: "text",
    pattern:
      /\b(?:vault login|aws configure set \w{0,32}(?:key|token)(?:_id)?|npm config set \S{0,255}_(?:authToken|auth|password))[ =]\\?["']?([^\s"'\\-][^\s"'\\]{7,})/d,
    group: 1,
    samples: [
      `vault login ${SECRET}`,
      `aws configure set aws_secret_access_key ([A-Za-z0-9/+]{40})`,
      `npm config set //registry.example.test/:_authToken ${SECRET}`,
    ],
  },
];
