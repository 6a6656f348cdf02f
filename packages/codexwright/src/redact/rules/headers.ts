import { hasDigit, type Shape } from "./shape.ts";

const SECRET = "([A-Za-z0-9]{20}[0-9]{2})";

const hasValue = ([, , value = ""]: RegExpExecArray): boolean => hasDigit(value) || value.length >= 20;

/** Matches headers, including cookies, in the text of a request, a command line or a program. */
export const HEADERS: readonly Shape[] = [
  {
    kind: "bearer or basic credentials",
    keywords: ["bearer", "basic"],
    where: "text",
    pattern: /\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})/di,
    group: 1,
    holds: ([, value = ""]) =>
      hasDigit(value) || (value.length >= 20 && /[A-Z]/.test(value) && !value.includes(".")),
    samples: [`Authorization: Bearer ${SECRET}`, "authorization: Basic ([A-Za-z0-9]{26}==)"],
  },
  {
    kind: "header of an API key",
    keywords: ["authorization", "api-key", "cookie", "auth-token", "access-token", "private-token"],
    where: "text",
    pattern:
      /\b(?:proxy-)?(?:authorization|x-api-key|api-key|x-auth-token|x-access-token|private-token|cookie)\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|token)\s+)?([^\s"',;\\]{4,})/di,
    group: 1,
    holds: ([, value = ""]) =>
      !/^(?:bearer|basic|token)$|[${}<>`(]|^[a-z_]+(?:\.[a-z_]+)+$/i.test(value) &&
      (hasDigit(value) || value.length >= 16),
    samples: [
      `curl -H "X-Api-Key: ${SECRET}" https://example.test`,
      `curl --header 'PRIVATE-TOKEN: ${SECRET}' https://example.test`,
      `curl -H "Authorization: ${SECRET}" https://example.test`,
    ],
  },
  // Header values of several words: up to the closing quote, or else to the end of the line.
  {
    kind: "quoted value of a header",
    keywords: ["authorization", "cookie"],
    where: "text",
    pattern:
      /\b(?:(?:proxy-)?authorization|(?:set-)?cookie)\\?["']?\s*[:=]\s*\\?(["'])(?!(?:bearer|basic|token)\s)((?:(?!\\?\1)[^\r\n]){4,})\\?\1/di,
    group: 2,
    holds: hasValue,
    samples: [`{"authorization": "ApiKey ${SECRET}"}`],
  },
  {
    kind: "quoted header",
    keywords: ["authorization", "cookie"],
    where: "text",
    pattern:
      /(["'])(?:(?:proxy-)?authorization|(?:set-)?cookie)\s*:\s*(?!(?:bearer|basic|token)\s)([^\s"'\\](?:(?!\\?\1)[^\r\n]){3,})\\?\1/di,
    group: 2,
    holds: hasValue,
    samples: [`curl -H 'Cookie: theme=dark; sid=${SECRET}' https://example.test`],
  },
  {
    kind: "line of a header",
    keywords: ["authorization:", "cookie:"],
    where: "text",
    pattern:
      /(?<![\w"'-])(?:(?:proxy-)?authorization|(?:set-)?cookie):[ \t]*(?!(?:bearer|basic|token)\s)([^\s"'\\][^\r\n]{3,})/di,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value) && !/^(?:bearer|basic|token)\b/i.test(value),
    samples: [`Set-Cookie: id=${SECRET}; Path=/; HttpOnly`, `Cookie: theme=dark; session=${SECRET}`],
  },
  {
    kind: "session in a cookie",
    keywords: ["sessid", "sessionid", "connect.sid", "_session"],
    where: "text",
    pattern:
      /\b(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|sessionid|connect\.sid|_\w{1,40}_session)=([\w%.:-]{12,})/di,
    group: 1,
    holds: ([, value = ""]) => hasDigit(value),
    samples: [`PHPSESSID=([a-z0-9]{26})`, `JSESSIONID=([A-F0-9]{32})`],
  },
];
