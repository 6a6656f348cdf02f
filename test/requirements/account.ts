import type { Requirement } from "./requirement.ts";

export const ACCOUNT = [
  {
    id: "login.api-key",
    statement: "An API key logs in; an empty one is refused before anything is sent.",
  },
  {
    id: "login.browser",
    statement:
      "A browser login gives its URL and settles with its own completion, also one that overtakes the answer, or with the connection.",
  },
  {
    id: "login.device-code",
    statement:
      "A login by device code gives URL and code; without network or on older servers it fails at once.",
  },
  {
    id: "login.tokens",
    statement:
      "Tokens of the caller's log in, in the shape the server's version reads, and are refreshed on demand.",
  },
  {
    id: "login.cancel",
    statement: "A login is cancelled by its handle, its signal or its disposal, at the server too.",
  },
  {
    id: "account.read",
    statement: "The account can be read and logged out of.",
  },
  {
    id: "account.rate-limits",
    statement:
      "Rate limits are read once; sparse updates are merged bucket by bucket and erase nothing; another account starts anew.",
  },
  {
    id: "mcp.login",
    statement: "An MCP server's OAuth login gives its URL and settles with its own completion.",
  },
  {
    id: "config.write",
    statement: "The configuration is read with its layers and written value by value or in batches.",
  },
  {
    id: "config.conflict",
    statement: "A write on an outdated version is `config_conflict`; other refusals keep the server's data.",
  },
  {
    id: "search.once",
    statement: "Files are found by a fuzzy query.",
  },
  {
    id: "search.session",
    statement: "A search session gives the newest results of its newest query until it is closed.",
  },
  {
    id: "secrets.errors",
    statement: "No key and no token appears in an error, even where the server quotes it.",
  },
] as const satisfies readonly Requirement[];
