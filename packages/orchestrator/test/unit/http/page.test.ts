import fc from "fast-check";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { anIssue, asking, retrying, running } from "../../support/fake-fleet.ts";
import { served } from "../../support/served.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title></style><script src=//evil.example></script>",
  "' onmouseover='alert(1)",
  "&lt;script&gt;",
  "<!--",
  "]]>",
  "\u0000<b>",
  "\u202Egnp.exe",
  "</table><form action=//evil.example><input name=x>",
  '<meta http-equiv="refresh" content="0;url=//evil.example">',
  "<base href=//evil.example>",
];

/** The tags of a page, without the texts between them. */
function tagsOf(html: string): string[] {
  return [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/ href="[^"]*"/, " href"));
}

verifies(["fleet.http.page", "symphony.17.6.status"], "the page shows the state", async () => {
  await using api = await served();
  api.fleet.claims = [
    running(anIssue("MT-1"), { lastMessage: "Working on tests" }),
    asking(anIssue("MT-2"), "Which?"),
  ];
  api.fleet.snapshot = { waiting: { until: "2026-02-24T21:00:00Z", why: "usage limit" } };
  api.fleet.emit({ event: "run.started", message: "run one began" });
  const response = await fetch(api.server.url);
  const html = await response.text();
  expect(response.headers.get("content-type")).toContain("text/html");
  for (const text of [
    "MT-1",
    "Working on tests",
    "question: Which?",
    "usage limit",
    "run one began",
    "of 1,000,000",
  ])
    expect(html).toContain(text);
  expect(html).toContain('href="https://tracker.example/MT-1"');
});

verifies(
  "security.s117",
  "no text of an issue or an agent becomes markup, and nothing may load or run",
  async () => {
    await using api = await served();
    const show = async (text: string): Promise<string> => {
      api.fleet.claims = [
        running(anIssue(text, { title: text, state: text, url: text }), { lastMessage: text }),
        retrying(anIssue("b", { title: text, url: `javascript:${text}` }), text),
        asking(anIssue("c", { title: text, url: `https://tracker.example/${text}` }), text),
      ];
      api.fleet.snapshot = {
        paused: { by: text, reason: text, at: "" },
        waiting: { until: text, why: text },
        tick: { host: text, at: null, polledAt: null, error: text },
        hosts: [{ name: text, slots: 1, running: 0, draining: true, seenAt: text }],
      };
      api.fleet.emit({ event: "warning", message: text, identifier: text });
      const response = await fetch(api.server.url);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'none'/,
      );
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      return await response.text();
    };
    const plain = tagsOf(await show("plain"));
    const rows = new Set(plain);
    const text = fc.array(
      fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 10 })),
      {
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        text.map((pieces) => pieces.join("")),
        async (hostile) => {
          const html = await show(hostile);
          for (const tag of tagsOf(html)) expect(rows.has(tag) ? "" : tag).toBe("");
          for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https?:\/\//);
          // oxlint-disable-next-line no-control-regex -- they are what is looked for
          expect(html).not.toMatch(/[\u0000-\u0008\u202A-\u202E\u2066-\u2069]/);
        },
      ),
      { seed: 117, numRuns: 100, examples: HOSTILE.map((each) => [each]) },
    );
    // The check itself finds markup.
    expect(tagsOf(HOSTILE.join("")).some((tag) => !rows.has(tag))).toBe(true);
  },
);
