import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { expectAsShown } from "./offline.ts";

verifies(
  "docs.recipes",
  "vscode: the bundled extension shows a thread, asks for an approval, and reports that Codex is not logged in",
  async () => {
    await expectAsShown("vscode");
  },
  PINNED,
);
