import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect } from "vitest";
import {
  MemoryIssues,
  memoryTracker,
  parseWorkflow,
  secretVariables,
  type TrackerKind,
} from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { eventually, FleetWorld, removeTemplate } from "../../support/fleet-world.ts";

const memory = memoryTracker(new MemoryIssues([]));

/** A tracker with two secrets. One of them has a variable that is read if the key is missing. */
const kind: TrackerKind = {
  ...memory,
  profile: {
    ...memory.profile,
    keys: [
      { key: "token", what: "A secret.", required: false, secret: true, env: "TASKS_TOKEN" },
      { key: "password", what: "Another one.", required: false, secret: true },
      { key: "project", what: "Not a secret.", required: false, env: "TASKS_PROJECT" },
    ],
  },
};

describe("secrets of a fleet", () => {
  afterAll(removeTemplate);

  verifies("security.s111", "every variable that can hold a secret is withheld from agents", () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/);
    const written = fc.oneof(
      name.map((each) => ({ yaml: `$${each}`, names: [each] })),
      name.map((each) => ({ yaml: `"$${each}"`, names: [each] })),
      name.map((each) => ({ yaml: `>-\n      $${each}`, names: [each] })),
      fc.constant({ yaml: "", names: [] as string[] }),
      fc.constant({ yaml: "literal", names: [] as string[] }),
    );
    fc.assert(
      fc.property(written, written, name, (token, password, database) => {
        const text = `---
tracker:
  kind: memory
  provider:
    token: ${token.yaml}
    password: ${password.yaml}
    project: $PROJECT
  active_states: [todo]
  terminal_states: [done]
database:
  url: $${database}
---
Work.`;
        const env = { [database]: "postgres://fleet:secret@127.0.0.1/db" };
        const workflow = parseWorkflow(text, "/repo/WORKFLOW.md", { env, kinds: [kind] });
        const wanted = new Set([...token.names, ...password.names, database, "TASKS_TOKEN"]);
        expect(new Set(secretVariables(workflow, kind))).toEqual(wanted);
      }),
    );
  });

  verifies("security.s111", "the token of the fleet is not shown if an agent prints it", async () => {
    await using world = await FleetWorld.open([{ identifier: "A", title: "A", state: "Todo" }]);
    const fleet = await world.start({ port: 0 });
    const run = await world.run(0);
    const token = (await readFile(path.join(world.data, "token"), "utf8")).trim();
    const shapes = [
      token,
      `the token is ${token}, so`,
      JSON.stringify({ token }),
      Buffer.from(token).toString("base64"),
      Buffer.from(`x${token}y`).toString("base64"),
      Buffer.from(token).toString("hex"),
      encodeURIComponent(`Bearer ${token}`),
    ];
    for (const [index, shape] of shapes.entries()) {
      run.observer.heard(`message ${index}`, shape);
      run.observer.event({ event: "warning", message: shape, data: { shape } });
      const { message } = await eventually(async () => {
        const [claim] = (await fleet.store.read(fleet.scope)).claims;
        if (claim?.state !== "running" || claim.run.lastEvent !== `message ${index}`) return undefined;
        return { message: claim.run.lastMessage };
      });
      expect([shape, message?.includes(shape)]).toEqual([shape, false]);
    }
    const state = await (await fetch(`${fleet.url}/api/v1/state`)).text();
    const events = await (await fetch(`${fleet.url}/api/v1/events?last=100`)).text();
    expect(events).toContain("warning");
    for (const text of [state, events, world.lines.join("\n")])
      for (const shape of shapes) expect(text.includes(shape)).toBe(false);
  });
});
