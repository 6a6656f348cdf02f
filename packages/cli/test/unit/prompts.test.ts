import { PassThrough } from "node:stream";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import * as prompts from "../../src/shared/prompts.ts";
import { HOSTILE } from "../support/tainted.ts";

const CHOICES = [
  { value: "a", label: `first ${HOSTILE}`, hint: HOSTILE },
  { value: "b", label: `second ${HOSTILE}`, hint: HOSTILE },
];
const WORDS = { message: `Really ${HOSTILE}?` };

/** Every kind of prompt, with hostile text in every text that it shows. */
const KINDS: Readonly<Record<string, (more: object) => Promise<unknown>>> = {
  confirm: (more) => prompts.confirm({ ...WORDS, initialValue: true, ...more }),
  password: (more) => prompts.password({ ...WORDS, ...more }),
  text: (more) => prompts.text({ ...WORDS, initialValue: HOSTILE, ...more }),
  select: (more) => prompts.select({ ...WORDS, options: CHOICES, ...more }),
  selectKey: (more) => prompts.selectKey({ ...WORDS, options: CHOICES, ...more }),
  multiselect: (more) =>
    prompts.multiselect({ ...WORDS, options: CHOICES, initialValues: [], required: false, ...more }),
};

verifies("security.s18", "no prompt shows hostile text unescaped", async () => {
  expect(
    Object.keys(prompts)
      .filter((name) => name !== "isCancel")
      .toSorted(),
  ).toEqual(Object.keys(KINDS).toSorted());
  for (const [kind, show] of Object.entries(KINDS)) {
    const stop = new AbortController();
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 40 });
    let shown = "";
    output.on("data", (chunk: Buffer) => {
      shown += chunk.toString();
      // Abort after the first drawing, not during it.
      if (shown.includes("Really")) setImmediate(() => stop.abort());
    });
    await show({ signal: stop.signal, input, output });
    // The remaining sequences are the package's own: it moves the cursor and uses colours.
    const hidden = [...shown.matchAll(/[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u0080-\u009F]/gu)];
    expect({ kind, hidden: hidden.map(([char]) => char.codePointAt(0)) }).toEqual({ kind, hidden: [] });
    expect({ kind, isTitled: shown.includes("]0;t") }).toEqual({ kind, isTitled: false });
    expect(shown).toContain("<U+200F>");
  }
});
