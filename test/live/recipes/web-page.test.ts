import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { expectAsShown } from "./offline.ts";

verifies(
  "docs.recipes",
  "web-page: serves the page, rejects other origins, and shares Codex through the gateway",
  async () => {
    await expectAsShown("web-page");
  },
  PINNED,
);
