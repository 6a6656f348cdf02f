import { expect, test } from "vitest";
import { parseClaims, parsePage } from "@codexwright/test-support/requirements/parse-page";

test("a page has requirements, and requirements that are met in another form", () => {
  const page = `# Title

Text with a **bold** word.

- **turn.run** \`run()\` returns: items, and more.
- **review** A review returns its text.

## Met in another form

- _agent.R6_ \`codexPath\` of the client.
- A list of something else,
  on two lines.
`;
  expect(parsePage(page)).toEqual({
    requirements: [
      { id: "turn.run", statement: "`run()` returns: items, and more." },
      { id: "review", statement: "A review returns its text." },
    ],
    elsewhere: [{ id: "agent.R6", statement: "`codexPath` of the client." }],
  });
});

test.each([
  "- **turn.run**",
  "- **turn.run**: with a colon",
  "- **two words** in an id",
  "- **turn.** ends with a dot",
  "- _agent.R6** is marked in two ways",
])("%s is not a requirement", (line) => {
  expect(() => parsePage(`${line}\n`)).toThrow(`not a requirement: ${line}`);
});

test("rejects a statement that continues on the next line", () => {
  const reason = "a statement must be one line; this is a second line:   and more";
  expect(() => parsePage("- **turn.run** It returns\n  and more\n")).toThrow(reason);
  expect(() => parseClaims("- **S1** It returns\n  and more\n")).toThrow(reason);
});

test("claims are numbered; other entries of SECURITY.md are not claims", () => {
  const text =
    "- **S1** Nothing ends the process.\n- **Memory.** Lines\n  are not bounded.\n- **S20** Another.\n";
  expect(parseClaims(text)).toEqual([
    { id: "security.s1", statement: "Nothing ends the process." },
    { id: "security.s20", statement: "Another." },
  ]);
  expect(() => parseClaims("- **S2**: with a colon\n")).toThrow("not a claim: - **S2**: with a colon");
});
