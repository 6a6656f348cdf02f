import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { Liquid } from "liquidjs";
import { expect } from "vitest";
import { renderPrompt, WorkflowError, type PromptInput } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { issueWith } from "../policy/world.ts";

const START = { line: 1, column: 1 };

function inputWith(issue: Parameters<typeof issueWith>[0]): PromptInput {
  return {
    issue: issueWith(issue),
    attempt: null,
    retry_kind: null,
    last_error: null,
    workspace_kept: false,
  };
}

function rendered(promptTemplate: string, issue: Parameters<typeof issueWith>[0]): string | WorkflowError {
  try {
    return renderPrompt({ promptTemplate, promptStart: START }, inputWith(issue));
  } catch (error) {
    if (error instanceof WorkflowError) return error;
    throw error;
  }
}

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."{{ issue.id }}|{% raw %}|{% endraw %}|{% if true %}|{%- assign x = 1 -%}|{{|}}|%}|{{ x | nope }}|${x}|$(id)|`id`|\\|\0".split(
          "|",
        ),
        "{% for i in (1..100000000) %}x{% endfor %}",
        "{% include '/etc/passwd' %}",
        "{# #}",
        "{% endcomment %}",
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

verifies("security.s94", "texts of an issue are in the prompt as they are", () => {
  // The attack, where a text becomes part of the template.
  const text = "{{ issue.id }}";
  expect(rendered(`Title: ${text}`, {})).toBe("Title: 1");
  const template =
    "<{{ issue.title }}|{{ issue.description }}|{% for l in issue.labels %}{{ l }};{% endfor %}>";
  fc.assert(
    fc.property(hostile, hostile, fc.array(hostile, { maxLength: 3 }), (title, description, labels) => {
      const expected = `<${title}|${description}|${labels.map((label) => `${label};`).join("")}>`;
      expect(rendered(template, { title, description, labels })).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype)
  .concat(Object.getOwnPropertyNames(Function.prototype))
  .concat("prototype");

verifies("security.s94", "a template reaches nothing but the data of its input", () => {
  const weak = new Liquid({ ownPropertyOnly: false });
  const inherited = Object.create({ secret: "s3cr3t" }) as { secret: string };
  expect(weak.parseAndRenderSync("{{ t.secret }}", { t: inherited })).toBe("s3cr3t");
  expect(rendered("{{ issue.native_ref.secret }}", { native_ref: inherited })).toBeInstanceOf(WorkflowError);
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-template-"));
  writeFileSync(path.join(folder, "secret"), "s3cr3t");
  const reading = new Liquid({ root: folder });
  expect(reading.parseAndRenderSync("{% include 'secret' %}")).toBe("s3cr3t");
  for (const tag of ["include", "render", "layout"]) {
    for (const file of [path.join(folder, "secret"), "secret", "../secret", "package.json"]) {
      expect(rendered(`{% ${tag} '${file}' %}`, {})).toBeInstanceOf(WorkflowError);
    }
  }
  rmSync(folder, { recursive: true });
  for (const name of PROTOTYPE_NAMES) {
    for (const value of ["issue", "issue.title", "issue.labels", "issue.native_ref", "attempt"]) {
      for (const access of [`${value}.${name}`, `${value}['${name}']`]) {
        const issue = { labels: ["a"], native_ref: { a: 1 } };
        const result = rendered(`{{ ${access} }}`, issue);
        // Liquid counts the letters of a text and the items of a list: `length` is not a way out.
        if (typeof result === "string")
          expect([access, result]).toEqual([access, expect.stringMatching(/^\d*$/)]);
      }
    }
  }
});

verifies("security.s94", "names of prototypes in an issue are only data", () => {
  const native = JSON.parse(
    '{"__proto__": {"polluted": "yes"}, "constructor": "c", "toString": "t", "valueOf": "v", "toLiquid": "l", "size": "s", "then": "n"}',
  ) as Record<string, string>;
  for (const [name, value] of [
    ["constructor", "c"],
    ["toString", "t"],
    ["valueOf", "v"],
    ["toLiquid", "l"],
    ["then", "n"],
  ] as const) {
    expect(rendered(`{{ issue.native_ref.${name} }}`, { native_ref: native })).toBe(value);
  }
  expect(rendered("{{ issue.native_ref.polluted }}", { native_ref: native })).toBeInstanceOf(WorkflowError);
  expect(rendered("{{ issue.native_ref }}", { native_ref: native })).toBeInstanceOf(WorkflowError);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

verifies("security.s95", "an issue of any size makes a prompt below the limit, or an error", () => {
  const huge = "x".repeat(10_000_000);
  const cut = rendered("{{ issue.description }}", { description: huge });
  expect(cut).toBe(`${"x".repeat(100_000)}\n[cut: 9900000 more characters]`);
  expect(rendered("{{ issue.title }}", { title: "😀".repeat(100_000) })).not.toMatch(/\uD83D\n/);
  const labels = Array.from({ length: 100_000 }, (_, index) => `label-${index}`);
  expect(rendered("{{ issue.labels | size }}", { labels })).toBe("1000");
  for (const template of [
    "{% for i in (1..1000000) %}{{ issue.description }}{% endfor %}",
    "{% for a in issue.labels %}{% for b in issue.labels %}{{ issue.description }}{% endfor %}{% endfor %}",
    "{% assign a = issue.description %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
    "{{ issue.labels | join: issue.description }}",
    "{{ issue.description | replace: 'x', issue.description }}",
    "{{ issue.description | split: '' | join: issue.description }}",
    "{% for i in (1..100000000000) %}{% endfor %}",
  ]) {
    const result = rendered(template, { description: huge, labels });
    expect([template, result]).toEqual([template, expect.any(WorkflowError)]);
    expect(result).toMatchObject({ code: "template_render_error" });
  }
});

verifies("security.s95", "every filter ends soon on texts that are slow to match", () => {
  const units = ["<script", "<!--", "<", "a ", "\n", "%"];
  const filters = Object.keys(new Liquid().filters).filter((name) => name !== "raw");
  expect(filters.length).toBeGreaterThan(60);
  for (const filter of filters) {
    for (const unit of units) {
      const description = unit.repeat(100_000 / unit.length);
      for (const args of ["", ": 'a', 'b'"]) {
        const result = rendered(`{{ issue.description | ${filter}${args} }}`, { description });
        if (typeof result === "string") expect(result.length).toBeLessThanOrEqual(1_000_000);
      }
    }
  }
});

verifies("security.s95", "any template ends in a prompt or a typed error", () => {
  const part = fc.constantFrom(
    ..."{{ |}}|{% |%}|issue|.title|.labels| | upcase| | split: ''|if |endif|for a in |endfor|capture x|endcapture|assign x = |raw|endraw|comment|endcomment|case |when |(1..9)|[|]|'|\"|-|\n|x|liquid\n|cycle 'a', 'b'|tablerow a in issue.labels|endtablerow|increment x|and |or |contains |nil|attempt".split(
      "|",
    ),
  );
  const templates = fc.array(part, { maxLength: 25 }).map((parts) => parts.join(""));
  let good = 0;
  fc.assert(
    fc.property(templates, (template) => {
      good += typeof rendered(template, { labels: ["a"] }) === "string" ? 1 : 0;
    }),
    { numRuns: 3000 },
  );
  expect(good).toBeGreaterThan(50);
});

verifies("security.s95", "malformed templates of any size end in a typed error", () => {
  const units =
    "{{|{%if a%}|{%comment%}|{% # a %}|{%for a in b%}|{%raw%}|{{ a[a[|{%- -%}|{%case a%}{%when 1%}|{{'".split(
      "|",
    );
  for (const unit of units) {
    for (const size of [1000, 100_000, 10_000_000]) {
      const result = rendered(unit.repeat(size / unit.length), {});
      if (typeof result === "string") expect(result.trim()).toBe("");
      else expect(result.code).toMatch(/^template_(parse|render)_error$/);
    }
  }
});
