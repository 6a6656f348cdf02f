import { jsonSchema, tool } from "codexwright";
import { connect } from "../lib/connect.ts";
import { idsOf } from "../lib/deltas.ts";
import type { TransportName } from "../lib/listening.ts";
import { measured } from "../lib/measured.ts";
import { openRaw } from "../lib/raw-channel.ts";
import type { Figures } from "../lib/sample.ts";

/** Answers the server's questions. The server reports how long each answer took. */
export async function run(who: string, transport: string, server: string, count: string): Promise<Figures> {
  return await (who === "raw" ? raw : ours)(transport as TransportName, server, Number(count));
}

async function ours(transport: TransportName, server: string, count: number): Promise<Figures> {
  let answered = 0;
  await using connected = await connect(transport, server, {
    onApproval: () => {
      answered++;
      return "accept";
    },
  });
  const { codex } = connected;
  const lookUp = tool({
    name: "look_up",
    description: "Looks a city up",
    input: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
    run: async ({ city }) => {
      answered++;
      return city;
    },
  });
  const thread = await codex.startThread({ tools: [lookUp] });
  const figures = await measured(count, async () => void (await thread.run("go")));
  if (answered !== count) throw new Error(`${answered} of ${count} questions came`);
  const { _meta: took } = (await codex.request("thread/loaded/list", {})) as unknown as { _meta: Figures };
  return { ...figures, ...took };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly delta?: string };
}

/** Parses each question and always sends the same answer. */
async function raw(transport: TransportName, server: string, count: number): Promise<Figures> {
  await using channel = await openRaw(transport, server);
  let ended = (): void => {};
  let took: Figures = {};
  channel.onText((text) => {
    const { id, method, params } = JSON.parse(text) as Message;
    if (id !== undefined && method !== undefined) channel.send({ id, result: RESULTS[method] });
    else if (method === "turn/completed") ended();
    else if (params?.delta !== undefined) took = JSON.parse(params.delta) as Figures;
  });
  channel.send({ id: -1, method: "initialize", params: {} });
  const figures = await measured(
    count,
    () =>
      new Promise<void>((resolve) => {
        ended = resolve;
        channel.send({ id: -2, method: "turn/start", params: { threadId: idsOf(0).threadId, input: [] } });
      }),
  );
  return { ...figures, ...took };
}

const RESULTS: Readonly<Record<string, object>> = {
  "item/commandExecution/requestApproval": { decision: "accept" },
  "item/tool/call": { contentItems: [{ type: "inputText", text: "Ulm" }], success: true },
};
