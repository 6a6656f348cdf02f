import { describe, expect } from "vitest";
import { EXAMPLES, LOGIN_ON_CODEX, LOGIN_ON_ENGINE } from "../foreign/python/examples.ts";
import { play, type TurnTold } from "../foreign/python/play.ts";
import { engineProgram, realProgram, type Open } from "../foreign/servers.ts";
import { soleBrowserLogin } from "@codexwright/test-support/browser-login";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const PINNED: VerifiesOptions = { against: "pinned", timeoutMs: 180_000 };

describe("examples of the official Python client", () => {
  for (const [name, example] of Object.entries(EXAMPLES)) {
    verifies(
      "engine.ways.python",
      `${name}: its requests get the answers and notifications that it waits for`,
      async () => {
        const told = async (open: Open): Promise<readonly TurnTold[]> => {
          const { model, steps } = example();
          await using program = await open(model);
          return await play(program, steps);
        };
        const real = await told(realProgram);
        expect(await told(engineProgram)).toEqual(real);
      },
      PINNED,
    );
  }

  verifies(
    "engine.ways.python",
    "15_login_and_account: Codex starts a login and cancels it, and the engine refuses it with a code",
    async () => {
      await using _login = await soleBrowserLogin();
      for (const [open, steps] of [
        [realProgram, LOGIN_ON_CODEX],
        [engineProgram, LOGIN_ON_ENGINE],
      ] as const) {
        await using program = await open([]);
        expect(await play(program, steps)).toEqual([]);
      }
    },
    PINNED,
  );
});
