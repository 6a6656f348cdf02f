import { COMMAND_LINES } from "./command-lines.ts";
import { FILES } from "./files.ts";
import { GITLEAKS } from "./gitleaks.ts";
import { HEADERS } from "./headers.ts";
import { NAMED_VALUES } from "./names.ts";
import { PRIVATE_KEYS } from "./private-keys.ts";
import { SETTINGS } from "./settings.ts";
import type { Shape } from "./shape.ts";
import { TOKENS } from "./tokens.ts";
import { URLS } from "./urls.ts";
import { VENDORS } from "./vendors.ts";

/** All shapes of secrets. The redactor and its test use this table. */
export const KINDS: readonly Shape[] = [
  ...TOKENS,
  ...VENDORS,
  ...PRIVATE_KEYS,
  ...HEADERS,
  ...COMMAND_LINES,
  ...URLS,
  ...FILES,
  ...NAMED_VALUES,
  ...SETTINGS,
  ...GITLEAKS,
];
