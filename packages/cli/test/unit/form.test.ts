import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { formFields, untouched, type FormField } from "../../src/run/ask/form.ts";
import { permissionsBlock } from "../../src/run/ask/question-text.ts";
import { plain } from "../../src/shared/style.ts";

function fields(properties: Record<string, unknown>, required: string[] = []): readonly FormField[] {
  const found = formFields({ type: "object", properties, required });
  if (!found) throw new Error("it cannot be shown");
  return found;
}

/** Returns what is wrong with each text. */
function complaints(property: Record<string, unknown>, ...texts: string[]): (string | undefined)[] {
  const [field] = fields({ field: property });
  if (!field || !("check" in field)) throw new Error("nothing is typed in there");
  return texts.map((text) => field.check(text));
}

verifies(
  "cli.run.elicitations",
  "supports every kind of field of an MCP form, with its title and description",
  () => {
    const choices = [
      { value: "r", label: "Red" },
      { value: "b", label: "Blue" },
    ];
    const titled = choices.map(({ value, label }) => ({ const: value, title: label }));
    expect(
      fields(
        {
          one: { type: "string", enum: ["r", "b"], enumNames: ["Red", "Blue"], default: "b" },
          two: { type: "string", oneOf: titled, title: "Two\u001B[2J", description: "of them" },
          three: { type: "array", items: { anyOf: titled }, maxItems: 1 },
          four: { type: "array", items: { type: "string", enum: ["r"] }, minItems: 1, default: ["r"] },
          five: { type: "boolean", default: false },
        },
        ["three"],
      ),
    ).toEqual([
      { name: "one", label: "one", isRequired: false, kind: "one", choices, initial: "b" },
      { name: "two", label: "Two: of them", isRequired: false, kind: "one", choices },
      { name: "three", label: "three", isRequired: true, kind: "several", choices, least: 1, most: 1 },
      {
        name: "four",
        label: "four",
        isRequired: false,
        kind: "several",
        choices: [{ value: "r", label: "r" }],
        least: 1,
        most: 1,
        initial: ["r"],
      },
      { name: "five", label: "five", isRequired: false, kind: "yesNo", initial: false },
    ]);
    expect(formFields({ type: "object", properties: { a: { type: "object" } } })).toBeUndefined();
    expect(formFields({ type: "object", properties: { a: { type: "array", items: {} } } })).toBeUndefined();
    expect(formFields("anything else")).toBeUndefined();
  },
);

verifies("cli.run.elicitations", "validates what is typed into a field", () => {
  const wrong = expect.any(String) as string;
  expect(complaints({ type: "string", minLength: 2, maxLength: 3 }, "a", "ab", "abcd")).toEqual([
    wrong,
    undefined,
    wrong,
  ]);
  expect(complaints({ type: "string", format: "email" }, "a@b.example", "a b")).toEqual([undefined, wrong]);
  expect(complaints({ type: "string", format: "uri" }, "https://a.example", "a")).toEqual([undefined, wrong]);
  expect(complaints({ type: "string", format: "date" }, "2026-02-28", "2026-13-40", "soon")).toEqual([
    undefined,
    wrong,
    wrong,
  ]);
  expect(complaints({ type: "string", format: "date-time" }, "2026-02-28T10:00:00Z", "2026")).toEqual([
    undefined,
    wrong,
  ]);
  expect(complaints({ type: "number", minimum: 0, maximum: 2 }, "1.5", "-1", "3", "", "x")).toEqual([
    undefined,
    wrong,
    wrong,
    wrong,
    wrong,
  ]);
  expect(complaints({ type: "integer" }, "3", "3.5")).toEqual([undefined, wrong]);
});

verifies("cli.run.elicitations", "accepts a form with its defaults, if every required field has one", () => {
  const n = { type: "integer", default: 3 };
  const text = { type: "string" };
  expect(untouched(fields({ n, text }, ["n"]))).toEqual({ n: 3 });
  expect(untouched(fields({ n, text }, ["text"]))).toBeUndefined();
  expect(untouched([])).toEqual({});
});

verifies("cli.run.permissions", "shows permissions by kind, with paths relative to the folder", () => {
  const block = (fileSystem: unknown, network: unknown = null): string =>
    permissionsBlock({ permissions: { fileSystem, network }, reason: null } as never, "/w", plain());
  expect(block({ read: ["/w", "/etc"], write: ["/w/out"] })).toBe(
    "permissions beyond the sandbox\n  read   ., /etc\n  write  out\n",
  );
  const entries = [
    { access: "write", path: { type: "glob_pattern", pattern: "**/*.log" } },
    { access: "read", path: { type: "special", value: { kind: "tmpdir" } } },
  ];
  expect(block({ entries }, { enabled: true })).toBe(
    'permissions beyond the sandbox\n  write  **/*.log\n  read   {"kind":"tmpdir"}\n  reach  the network\n',
  );
});
