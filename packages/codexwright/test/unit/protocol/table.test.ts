import { CODEX_VERSION, METHODS, SAMPLED_VERSIONS } from "codexwright/protocol";
import { describe, expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { EXPERIMENTAL_NOTIFICATIONS, EXPERIMENTAL_VALUES } from "../../../src/protocol/experimental.ts";
import { REMOVED_METHODS } from "../../../src/protocol/table.gen.ts";

describe("the method table", () => {
  verifies("protocol.table", "ranges from 0.98.0 to the version that the types were generated from", () => {
    expect(SAMPLED_VERSIONS[0]).toBe("0.98.0");
    expect(SAMPLED_VERSIONS.at(-1)).toBe(CODEX_VERSION);
    expect(SAMPLED_VERSIONS.length).toBeGreaterThan(10);
  });

  verifies("protocol.table", "names only sampled versions", () => {
    const known = new Set(SAMPLED_VERSIONS);
    const infos = Object.values(METHODS).flatMap((methods) => Object.values<MethodEntry>(methods));
    expect(infos.length).toBeGreaterThan(250);
    for (const info of infos) {
      const fields = Object.values(info.fields).flat();
      const versions = [info.since, ...fields].filter((text) => text !== "experimental");
      expect(versions.filter((version) => !known.has(version))).toEqual([]);
    }
  });

  verifies("protocol.table", "contains old, newer and experimental methods", () => {
    expect(METHODS.clientRequests["thread/start"]).toMatchObject({
      stability: "stable",
      since: "0.98.0",
      fields: { cwd: "0.98.0", serviceTier: "0.110.0", dynamicTools: ["0.98.0", "experimental"] },
    });
    expect(METHODS.clientRequests["turn/steer"]).toMatchObject({ stability: "stable", since: "0.100.0" });
    expect(METHODS.clientRequests["thread/revert"]).toMatchObject({
      since: "0.150.0",
      stableSince: "0.155.0",
    });
    expect(METHODS.clientRequests["thread/fork"]?.fields["lastTurnId"]).not.toBe("0.98.0");
    expect(METHODS.serverNotifications["serverRequest/resolved"]?.since).toBe("0.110.0");
    expect(METHODS.serverRequests["currentTime/read"]).toMatchObject({
      stability: "experimental",
      since: "0.145.0",
    });
  });

  verifies("protocol.table", "contains removed methods", () => {
    expect(REMOVED_METHODS.clientRequests["thread/rollback"]).toEqual({ since: "0.98.0", last: "0.155.0" });
    expect(METHODS.clientRequests).not.toHaveProperty(["thread/rollback"]);
  });
});

describe("the hand-written gates", () => {
  verifies("protocol.table", "name existing notifications, with the version in which they appeared", () => {
    for (const [method, gate] of Object.entries(EXPERIMENTAL_NOTIFICATIONS)) {
      expect([method, METHODS.serverNotifications[method]?.since]).toEqual([method, gate.since]);
      if (gate.stableSince !== undefined) expect(SAMPLED_VERSIONS).toContain(gate.stableSince);
    }
  });

  verifies("protocol.table", "contain the server's own descriptors", () => {
    expect(EXPERIMENTAL_VALUES.map((gate) => gate.descriptor)).toContain("askForApproval.granular");
    for (const gate of EXPERIMENTAL_VALUES) {
      expect(gate.descriptor.endsWith(`.${gate.value}`)).toBe(true);
      expect(SAMPLED_VERSIONS).toContain(gate.since);
    }
  });
});

interface MethodEntry {
  readonly since: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}
