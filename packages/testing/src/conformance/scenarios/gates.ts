import { reply } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, eventsOf, scenario, send } from "../steps.ts";

const refused = (descriptor: string) => ({
  rpcCode: -32600,
  message: `${descriptor} requires experimentalApi capability`,
});

export const GATES: readonly Scenario[] = [
  scenario(
    "gate.methods",
    "rejects experimental methods by name without the opt-in, and serves them with it",
    {
      model: [],
      run: async (world) => {
        const plain = await world.raw();
        await plain.initialize({});
        for (const [id, method] of ["collaborationMode/list", "mock/experimentalMethod"].entries()) {
          const { error } = await plain.ask(id, method, {});
          const message = `${method} requires experimentalApi capability`;
          expectMatch(error, { code: -32600, message }, `the rejection of ${method}`);
        }
        expectMatch(
          await plain.ask(9, "thread/loaded/list", {}),
          { result: { data: [] } },
          "a stable method",
        );
      },
    },
  ),
  scenario("gate.opt-in", "with the opt-in, experimental methods are served", {
    model: [],
    run: async (world) => {
      const codex = await world.connect({ experimentalApi: true });
      const { data } = await codex.request("collaborationMode/list", {});
      expectThat(data.length > 0, "there are collaboration modes");
    },
  }),
  scenario(
    "gate.fields",
    "rejects experimental fields by method and field without the opt-in",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect({ experimentalApi: false });
        for (const [field, value] of [
          ["dynamicTools", []],
          ["historyMode", "legacy"],
        ] as const) {
          await expectRejection(
            send(codex, "thread/start", { [field]: value }),
            refused(`thread/start.${field}`),
            field,
          );
        }
        expectMatch(
          await codex.request("thread/start", { ephemeral: true }),
          { thread: { ephemeral: true } },
          "a stable thread/start",
        );
      },
    },
    { since: "0.143.0" },
  ),
  scenario(
    "gate.values",
    "rejects experimental enum values by type and value without the opt-in",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect({ experimentalApi: false });
        const granular = {
          sandbox_approval: true,
          rules: true,
          skill_approval: true,
          request_permissions: true,
          mcp_elicitations: true,
        };
        await expectRejection(
          send(codex, "thread/start", { approvalPolicy: { granular } }),
          refused("askForApproval.granular"),
          "a granular policy",
        );
      },
    },
    { since: "0.115.0" },
  ),
  scenario(
    "gate.notifications",
    "sends experimental notifications only to clients with the opt-in",
    {
      model: () => reply("done"),
      run: async (world) => {
        for (const experimentalApi of [true, false]) {
          const codex = await world.connect({ experimentalApi });
          const seen = collect(codex, "thread/readState/changed");
          const thread = await codex.startThread();
          await thread.run("go");
          await codex.request("thread/read", { threadId: thread.id });
          expectThat(
            seen.length > 0 === experimentalApi,
            `with experimentalApi ${experimentalApi}, ${seen.length} arrived`,
          );
          await codex.disconnect();
        }
      },
    },
    { since: "0.163.0" },
  ),
  scenario(
    "opt-out.exact",
    "does not send notifications that a client opted out of by exact name, and ignores unknown names",
    {
      model: [reply("some text", { deltas: 4 })],
      run: async (world) => {
        const codex = await world.connect({
          optOutNotifications: ["item/agentMessage/delta", "no/such/notification", "item/"],
        });
        const turn = (await codex.startThread({ ephemeral: true })).turn("hi");
        const methods = (await eventsOf(turn)).map(({ method }) => method);
        expectThat(!methods.includes("item/agentMessage/delta"), "no deltas arrived");
        expectThat(methods.includes("item/completed"), "items arrived");
        expectMatch(await turn.completed, { agentMessage: "some text" }, "the result");
      },
    },
  ),
];
