import { expect } from "vitest";
import { WithdrawableRequest } from "../../../src/rpc/incoming-request.ts";
import { whenWithdrawn, withSignal } from "../../../src/rpc/withdrawable.ts";
import { verifies } from "@codexwright/test-support/verifies";

verifies("requests.resolved", "creates a signal when it is first read, even by a copy of its object", () => {
  let made = 0;
  const { signal } = new AbortController();
  const told = withSignal(
    { kind: "command" },
    {
      get signal() {
        made++;
        return signal;
      },
    },
  );
  expect(Object.keys(told)).toEqual(["kind", "signal"]);
  expect(JSON.stringify(withSignal({}, { signal }))).toBe('{"signal":{}}');
  expect(made).toBe(0);
  expect({ ...told }.signal).toBe(signal);
  expect(told.signal).toBe(signal);
});

verifies(
  "requests.resolved",
  "reports a withdrawal to callbacks that were added before and after it, with and without a signal",
  () => {
    const heard: string[] = [];
    const request = new WithdrawableRequest(1, 0);
    whenWithdrawn(request, () => heard.push("request"));
    request.withdraw();
    whenWithdrawn(request, () => heard.push("request, late"));
    const controller = new AbortController();
    whenWithdrawn(controller, () => heard.push("signal"));
    whenWithdrawn(controller, () => heard.push("taken back"))();
    controller.abort();
    whenWithdrawn(controller, () => heard.push("signal, late"));
    expect(heard).toEqual(["request", "request, late", "signal", "signal, late"]);
    expect(request.withdrawn).toBe(true);
    expect(request.signal.aborted).toBe(true);
  },
);
