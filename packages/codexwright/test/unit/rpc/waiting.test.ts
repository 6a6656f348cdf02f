import { expect } from "vitest";
import { Serving } from "../../../src/rpc/serving.ts";
import { whenDropped, withSignal } from "../../../src/rpc/waiting.ts";
import { verifies } from "@codexwright/test-support/verifies";

verifies("requests.resolved", "a signal is made when somebody looks, and a copy has it", () => {
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

verifies("requests.resolved", "whoever drops a request is heard, before or after, by either way", () => {
  const heard: string[] = [];
  const serving = new Serving(1, 0);
  whenDropped(serving, () => heard.push("request"));
  serving.drop();
  whenDropped(serving, () => heard.push("request, late"));
  const controller = new AbortController();
  whenDropped(controller, () => heard.push("signal"));
  whenDropped(controller, () => heard.push("taken back"))();
  controller.abort();
  whenDropped(controller, () => heard.push("signal, late"));
  expect(heard).toEqual(["request", "request, late", "signal", "signal, late"]);
  expect(serving.signal.aborted).toBe(true);
});
