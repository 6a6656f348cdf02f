import { isSecretEnv } from "../secret-fields.ts";
import { looksDrawn } from "./entropy.ts";
import { hasDigit, type Shape } from "./shape.ts";

const SECRET = "([A-Za-z0-9]{14}[0-9])";

/**
 * Matches secrets in files: `.netrc`, `.npmrc`, configuration of Docker, Kubernetes, NuGet and Maven, connection
 * strings.
 */
export const FILES: readonly Shape[] = [
  // Matches `machine … login … password …`, on one line or several.
  {
    kind: ".netrc",
    keywords: ["machine", "default"],
    where: "text",
    pattern:
      /\b(?:machine\s{1,64}(?:[\w-]{1,255}\.[\w.-]{1,255}|\S{1,255}(?=\s{1,64}login\s))|default(?=\s{1,64}login\s))(?:\s{1,64}(?:login|account)\s{1,64}\S{1,255}){0,2}\s{1,64}password\s{1,64}(\S{3,})/d,
    group: 1,
    // Documents use `user@site` as the password of a guest.
    holds: ([, value = ""]) => !/^[{$<`]|^[a-z]+@[a-z.]*$/.test(value),
    samples: [
      `machine example\\.test login me password ${SECRET}`,
      `machine example\\.test\n  login me\n  password ${SECRET}`,
    ],
  },
  // Matches the last line of a `.netrc` on its own, or in a diff.
  {
    kind: "line of .netrc",
    keywords: ["password"],
    where: "text",
    pattern: /(?<=^|[\r\n])[ \t+>|-]{0,16}password[ \t]{1,8}(\S{6,256})(?=[ \t]{0,8}(?:[\r\n]|$))/d,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value) && /[A-Za-z]/.test(value) && !/^["'`$<]/.test(value),
    samples: [`\\+  login me\n\\+  password ${SECRET}\n`],
  },
  {
    kind: ".npmrc",
    keywords: ["_auth", "_password"],
    where: "text",
    pattern: /(?<![A-Za-z0-9])_(?:authToken|auth|password)\s?=\s?["']?([^\s"'$\\]{6,})/d,
    group: 1,
    samples: [`//registry\\.example\\.test/:_authToken=${SECRET}`, `_auth=([A-Za-z0-9]{26})==`],
  },
  {
    kind: ".pgpass",
    keywords: [":5432:", ":5433:", ":6432:", ":*:"],
    where: "text",
    pattern: /(?<![\w.:*-]|\/\/)[\w.*-]{1,255}:(?:\d{2,5}|\*):[\w.*-]{1,255}:[\w.*@-]{1,255}:(\S{6,})/d,
    group: 1,
    holds: ([, value = ""]) =>
      /[A-Za-z]/.test(value) && (hasDigit(value) || /[a-z][A-Z]/.test(value)) && !value.includes(":"),
    samples: [`db\\.example\\.test:5432:app:me:${SECRET}`],
  },
  {
    kind: "configuration of Docker",
    keywords: ['auth"'],
    where: "text",
    pattern: /"auth"\s*:\s*"([A-Za-z0-9+/]{8,}={0,2})"/d,
    group: 1,
    holds: ([, value = ""]) => value.length >= 12 && (hasDigit(value) || value.endsWith("=")),
    samples: [`{"auths":{"registry\\.example\\.test":{"auth":"([A-Za-z0-9]{25}[0-9]==)"}}}`],
  },
  {
    kind: "kubeconfig",
    keywords: ["client-key-data", "client-certificate-data"],
    where: "text",
    pattern: /\bclient-(?:key|certificate)-data:\s{0,64}["']?([A-Za-z0-9+/]{16,}={0,2})/d,
    group: 1,
    samples: [`users:\n- name: me\n  user:\n    client-key-data: ([A-Za-z0-9+/]{80})==`],
  },
  {
    kind: "secret of Kubernetes",
    keywords: ["kind:"],
    where: "text",
    pattern:
      /\bkind:[ \t]{0,8}["']?Secret\b[^]{0,512}?\b(?:stringD|d)ata:[\s+]{1,64}((?:[\w.-]{1,128}:[ \t]{0,8}[^\r\n]{1,4096}[\s+]{0,64}){1,32})/d,
    group: 1,
    samples: [`apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  password: ([A-Za-z0-9]{23}=)\n`],
  },
  {
    kind: "configuration of NuGet",
    keywords: ["password"],
    where: "text",
    pattern: /<add key="[\w.-]{0,64}Password"\s{1,8}value="([^"\r\n]{4,512})"/di,
    group: 1,
    samples: [`<add key="ClearTextPassword" value="${SECRET}" />`],
  },
  {
    kind: "element of XML",
    keywords: ["password>", "passphrase>", "token>", "secret>", "apikey>", "privatekey>"],
    where: "text",
    pattern: /<([\w:.-]{0,64}(?:password|passphrase|token|secret|apikey|privatekey))>([^<>\s]{4,4096})</di,
    group: 2,
    holds: ([, , value = ""]) => !/[${}]|^\//.test(value) && (hasDigit(value) || value.length >= 20),
    samples: [`<server><id>x</id><username>me</username><password>${SECRET}</password></server>`],
  },
  {
    kind: "constant of PHP",
    keywords: ["define("],
    where: "at",
    pattern: /define\(\s{0,8}["'](\w{2,64})["']\s{0,32},\s{0,32}["']([^"'\r\n]{4,256})["']/d,
    group: 2,
    holds: ([, name = "", value = ""]) =>
      name.endsWith("_SALT") || (isSecretEnv(name) && (hasDigit(value) || looksDrawn(value))),
    samples: [`define\\( 'DB_PASSWORD', '${SECRET}' \\);`, `define\\('NONCE_SALT', '${SECRET}'\\);`],
  },
  {
    kind: "key of a wireless network",
    keywords: ["psk="],
    where: "at",
    pattern: /(?<![\w-])psk=["']?([^\s"'\\]{8,64})/d,
    holds: ([, value = ""]) => hasDigit(value) || looksDrawn(value),
    samples: [`psk="${SECRET}"`, `psk=([a-f0-9]{64})`],
  },
  {
    kind: "password in SQL",
    keywords: ["password", "identified"],
    where: "text",
    pattern:
      /\b(?:user|role|login)\s[^\r\n;]{0,255}?\b(?:password|identified\s{1,8}(?:with\s{1,8}\S{1,64}\s{1,8})?by)\s{0,8}=?\s{0,8}N?'([^'\r\n]{4,256})'/di,
    group: 1,
    holds: ([, value = ""]) => (hasDigit(value) || looksDrawn(value)) && !/[<>${}]/.test(value),
    samples: [
      `ALTER USER app WITH PASSWORD '${SECRET}';`,
      `CREATE USER 'app'@'%' IDENTIFIED BY '${SECRET}';`,
      `CREATE LOGIN app WITH PASSWORD = '${SECRET}';`,
    ],
  },
  {
    kind: "connection string",
    keywords: ["accountkey=", "sharedaccesskey=", "pwd=", "password=", "sharedaccesssignature="],
    where: "text",
    pattern:
      /(?<![A-Za-z0-9_])(?:AccountKey|SharedAccessKey|SharedAccessSignature|Pwd|Password)\s?=\s?([^;\s"'<>`$\\{}(),]{5,512})(?=[;"'\s]|$)/di,
    group: 1,
    holds: ([, value = ""]) =>
      (hasDigit(value) || looksDrawn(value)) && /[A-Za-z]/.test(value) && !value.includes("."),
    samples: [
      `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=([A-Za-z0-9+/]{85}0==);EndpointSuffix=core.windows.net`,
      `Server=db;Database=app;User Id=me;Pwd=${SECRET};`,
      `Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=([A-Za-z0-9+/]{42}0=)`,
    ],
  },
];
