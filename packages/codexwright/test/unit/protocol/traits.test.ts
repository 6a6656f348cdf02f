import { notificationTraits, requestTraits, serverRequestTraits } from "codexwright/internal";
import { METHODS } from "codexwright/protocol";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";

const REQUESTS = Object.keys(METHODS.clientRequests);
const NOTIFICATIONS = Object.keys(METHODS.serverNotifications);
const SERVER_REQUESTS = Object.keys(METHODS.serverRequests);

const requests = (has: (traits: ReturnType<typeof requestTraits>) => boolean): Set<string> =>
  new Set(REQUESTS.filter((method) => has(requestTraits(method))));
const notifications = (has: (traits: ReturnType<typeof notificationTraits>) => boolean): Set<string> =>
  new Set(NOTIFICATIONS.filter((method) => has(notificationTraits(method))));
const serverRequests = (has: (traits: ReturnType<typeof serverRequestTraits>) => boolean): Set<string> =>
  new Set(SERVER_REQUESTS.filter((method) => has(serverRequestTraits(method))));

/** Returns the value of a trait by method. */
function column(
  methods: readonly string[],
  trait: (method: string) => string | undefined,
): Record<string, string | undefined> {
  const rows = methods.map((method) => [method, trait(method)] as const);
  return Object.fromEntries(rows.filter(([, value]) => value !== undefined));
}

verifies("protocol.traits", "every method of the schema has a row", () => {
  const missing = [
    ...requests((traits) => traits === requestTraits("no/such")),
    ...notifications((traits) => traits === notificationTraits("no/such")),
    ...serverRequests((traits) => traits === serverRequestTraits("no/such")),
  ];
  expect(missing).toEqual([]);
  // The only client notification belongs to the handshake. A second one would need a table.
  expect(Object.keys(METHODS.clientNotifications)).toEqual(["initialized"]);
});

verifies("protocol.traits", "a method that is not in the schema has the default traits", () => {
  for (const method of ["no/such", "toString", "__proto__", "constructor"]) {
    expect(requestTraits(method)).toEqual({ scope: "connection" });
    expect(notificationTraits(method)).toEqual({ scope: "connection" });
    expect(serverRequestTraits(method)).toEqual({ scope: "connection" });
  }
});

verifies(
  "protocol.traits",
  "these requests do not count towards maxInFlight, and the long ones have no default timeout",
  () => {
    expect(requests(({ wait }) => wait === "long")).toEqual(
      new Set([
        "command/exec",
        "mcpServer/tool/call",
        "account/login/start",
        "feedback/upload",
        "thread/sample",
        "userVerification/delete",
        "userVerification/enroll",
        "userVerification/verify",
      ]),
    );
    expect(requests(({ wait }) => wait === "urgent")).toEqual(
      new Set([
        "turn/interrupt",
        "turn/steer",
        "account/login/cancel",
        "command/exec/terminate",
        "command/exec/write",
        "command/exec/resize",
        "process/kill",
        "process/writeStdin",
        "thread/backgroundTerminals/clean",
        "thread/backgroundTerminals/terminate",
        "thread/sample/cancel",
        "userVerification/cancel",
      ]),
    );
  },
);

verifies(
  "protocol.traits",
  "these requests do not wait for others, or let the next request run once they have started",
  () => {
    expect(requests(({ lane }) => lane === "none")).toEqual(
      new Set([
        "turn/interrupt",
        "thread/sample",
        "thread/items/list",
        "thread/items/read",
        "thread/search",
        "thread/searchOccurrences",
        "thread/timeline/list",
        "thread/turns/list",
        "account/usage/read",
      ]),
    );
    expect(requests(({ late }) => late === true)).toEqual(new Set(["command/exec", "mcpServer/tool/call"]));
  },
);

const LANES: Readonly<Record<string, { reads: readonly string[]; writes: readonly string[] }>> = {
  config: {
    reads: [
      "config/read",
      "configRequirements/read",
      "externalAgentConfig/import/readHistories",
      "hooks/list",
      "permissionProfile/list",
      "skills/list",
    ],
    writes: [
      "config/batchWrite",
      "config/value/write",
      "experimentalFeature/enablement/set",
      "experimentalFeature/list",
      "externalAgentConfig/import",
      "externalAgentConfig/import/recordHistory",
      "marketplace/add",
      "marketplace/remove",
      "marketplace/upgrade",
      "plugin/install",
      "plugin/share/checkout",
      "plugin/share/delete",
      "plugin/share/list",
      "plugin/share/save",
      "plugin/share/updateTargets",
      "plugin/skill/read",
      "plugin/uninstall",
      "skills/config/write",
      "skills/extraRoots/set",
      "windowsSandbox/readiness",
    ],
  },
  "account-auth": {
    reads: ["account/bedrock/discover"],
    writes: [
      "account/bedrock/setup",
      "account/login/cancel",
      "account/login/start",
      "account/logout",
      "account/rateLimitResetCredit/consume",
      "account/read",
      "account/sendAddCreditsNudgeEmail",
      "getAuthStatus",
    ],
  },
  environment: { reads: ["environment/info", "environment/status"], writes: ["environment/add"] },
  "mcp-registry": { reads: [], writes: ["config/mcpServer/reload", "mcpServerStatus/list"] },
  memory: { reads: [], writes: ["memory/reset"] },
  projects: {
    reads: ["project/list", "project/read"],
    writes: ["project/create", "project/delete", "project/import", "project/move", "project/update"],
  },
  "thread-sections": {
    reads: ["threadSection/list"],
    writes: ["threadSection/create", "threadSection/delete", "threadSection/update"],
  },
};

verifies("protocol.traits", "these requests share a resource other than a thread", () => {
  const shared = requests(({ lane = "none" }) => lane !== "none");
  expect(shared).toEqual(new Set(Object.values(LANES).flatMap(({ reads, writes }) => [...reads, ...writes])));
  for (const [name, { reads, writes }] of Object.entries(LANES)) {
    expect(requests(({ lane, reads: only }) => lane === name && only === true)).toEqual(new Set(reads));
    expect(requests(({ lane, reads: only }) => lane === name && only !== true)).toEqual(new Set(writes));
  }
  expect(requests(({ lane, reads }) => reads === true && lane === undefined)).toEqual(new Set());
});

verifies("protocol.traits", "these messages carry an id that a client chose", () => {
  expect(column(REQUESTS, (method) => requestTraits(method).ownId)).toEqual({
    "command/exec": "processId",
    "command/exec/write": "processId",
    "command/exec/resize": "processId",
    "command/exec/terminate": "processId",
    "process/spawn": "processHandle",
    "process/writeStdin": "processHandle",
    "process/resizePty": "processHandle",
    "process/kill": "processHandle",
    "fs/watch": "watchId",
    "fs/unwatch": "watchId",
    fuzzyFileSearch: "cancellationToken",
    "fuzzyFileSearch/sessionStart": "sessionId",
    "fuzzyFileSearch/sessionUpdate": "sessionId",
    "fuzzyFileSearch/sessionStop": "sessionId",
    "mcpServer/event/stream/start": "subscriptionId",
    "mcpServer/event/stream/stop": "subscriptionId",
  });
  expect(column(NOTIFICATIONS, (method) => notificationTraits(method).ownId)).toEqual({
    "command/exec/outputDelta": "processId",
    "process/outputDelta": "processHandle",
    "process/exited": "processHandle",
    "fs/changed": "watchId",
    "fuzzyFileSearch/sessionUpdated": "sessionId",
    "fuzzyFileSearch/sessionCompleted": "sessionId",
    "mcpServer/event/stream/notification": "subscriptionId",
  });
});

verifies("protocol.traits", "these messages end something that a client started", () => {
  expect(column(REQUESTS, (method) => requestTraits(method).endedBy)).toEqual({
    "command/exec": "command/exec/terminate",
    "process/spawn": "process/kill",
    "fs/watch": "fs/unwatch",
    "fuzzyFileSearch/sessionStart": "fuzzyFileSearch/sessionStop",
    "mcpServer/event/stream/start": "mcpServer/event/stream/stop",
    "thread/realtime/start": "thread/realtime/stop",
  });
  expect(column(REQUESTS, (method) => requestTraits(method).ends)).toEqual({
    "command/exec": "answer",
    "fs/unwatch": "result",
    "fuzzyFileSearch/sessionStop": "result",
    "mcpServer/event/stream/stop": "result",
    "thread/realtime/stop": "result",
  });
  expect(notifications(({ ends }) => ends === true)).toEqual(
    new Set(["process/exited", "thread/realtime/closed"]),
  );
  const cancelledBy = column(REQUESTS, (method) => requestTraits(method).cancelledBy);
  expect(cancelledBy).toEqual({
    "thread/sample": "thread/sample/cancel",
    "userVerification/delete": "userVerification/cancel",
    "userVerification/enroll": "userVerification/cancel",
    "userVerification/verify": "userVerification/cancel",
  });
  expect(requests(({ cancels }) => cancels === true)).toEqual(new Set(Object.values(cancelledBy)));
});

verifies("protocol.traits", "these requests open a thread or start something", () => {
  expect(column(REQUESTS, (method) => requestTraits(method).opens)).toEqual({
    "thread/start": "thread",
    "thread/resume": "thread",
    "thread/fork": "thread",
    "review/start": "reviewThread",
  });
  expect(column(REQUESTS, (method) => requestTraits(method).starts)).toEqual({
    "turn/start": "turn",
    "review/start": "turn",
    "thread/compact/start": "turn",
    "thread/shellCommand": "turn",
    "thread/start": "thread",
    "thread/fork": "thread",
    "command/exec": "process",
    "process/spawn": "process",
  });
});

verifies("protocol.traits", "these notifications are not only for the followers of a thread", () => {
  expect(notifications(({ to }) => to === "all")).toEqual(
    new Set([
      "thread/started",
      "thread/status/changed",
      "thread/archived",
      "thread/unarchived",
      "thread/deleted",
      "thread/name/updated",
    ]),
  );
  expect(column(NOTIFICATIONS, (method) => notificationTraits(method).greets)).toEqual({
    configWarning: "each",
    "remoteControl/status/changed": "last",
  });
});

verifies("protocol.traits", "one client answers these server requests, or their end is reported", () => {
  expect(serverRequests(({ answeredBy }) => answeredBy === "one")).toEqual(
    new Set(["item/tool/call", "account/chatgptAuthTokens/refresh", "attestation/generate"]),
  );
  expect(serverRequests(({ tellsResolved }) => tellsResolved === true)).toEqual(
    new Set([
      "item/commandExecution/requestApproval",
      "item/fileChange/requestApproval",
      "item/permissions/requestApproval",
      "item/tool/requestUserInput",
      "mcpServer/elicitation/request",
    ]),
  );
});
