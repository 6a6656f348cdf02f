import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EngineServer, type ModelProvider } from "@codexwright/engine";
import { rolloutStore } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { completed, connect, message, modelOf, optionsOf } from "../ports.ts";
import { temporaryPlace } from "../node/place.ts";

/** A model whose reasoning only its provider can read. */
function provider(id: string): ReturnType<typeof modelOf> & ModelProvider {
  const answers = [1, 2, 3].map((n) => [
    {
      type: "itemDone" as const,
      item: { type: "reasoning", id: `rs_${id}_${n}`, summary: [], encrypted_content: `secret of ${id}` },
    },
    ...message(`msg_${id}_${n}`, "done"),
    completed,
  ]);
  return Object.assign(modelOf(...answers), { id });
}

verifies(
  "engine.config.threads",
  "a fork goes on with the provider of the server, which gets no encrypted content of another",
  async () => {
    await using place = temporaryPlace();
    const { home, work: cwd } = place;
    const on = (model: ModelProvider): EngineServer =>
      new EngineServer(optionsOf(model, { home, cwd, store: rolloutStore({ home }) }));
    const sent = (model: ReturnType<typeof provider>): unknown[] =>
      model.requests.map(({ input }) => input.flatMap((item) => item["encrypted_content"] ?? []));

    const other = provider("other");
    const first = on(other);
    const codex = await connect(first);
    const thread = await codex.startThread();
    await thread.run("one");
    await codex.disconnect();
    await first.close();
    // A file of Codex does not have the marks of the engine.
    const folder = path.join(home, "sessions");
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".jsonl")) continue;
      const file = path.join(folder, name);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(',"codexwright_provider":"other"', ""));
    }

    const own = provider("own");
    const second = on(own);
    const user = await connect(second);
    expect(await rejection(user.resumeThread(thread.id))).toMatchObject({
      message: expect.stringContaining("This chat uses") as string,
    });
    const fork = await user.thread(thread.id).fork();
    await fork.run("two");
    await user.disconnect();
    await second.close();
    expect(sent(own)).toEqual([[]]);

    const third = on(own);
    const later = await connect(third);
    await (await later.resumeThread(fork.id)).run("three");
    expect(sent(own)).toEqual([[], ["secret of own"]]);
    await later.disconnect();
    await third.close();
  },
);
