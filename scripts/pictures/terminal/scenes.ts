import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { exec, realAppServer, reply, scriptedModel, type ModelStep } from "@codexwright/testing";
import { ROOT } from "../../steps.ts";
import { paced } from "./frames.ts";
import { record, type Typist } from "./record.ts";
import type { TerminalPicture } from "./render.ts";
import { framesOf } from "./screen.ts";

const COLUMNS = 88;
const ROWS = 44;
/** The longest pause that viewers see. */
const MOST_PAUSE_MS = 1_200;
/** The pause between the words of a message, so that viewers see it stream. */
const WORD_MS = 60;

interface Scene {
  readonly title: string;
  readonly description: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly act: (typist: Typist) => Promise<void>;
}

/** `codexwright run --demo`: the real Codex with the command's own scripted model. */
export async function demoScene(): Promise<TerminalPicture> {
  return await filmed({
    title: "codexwright run --demo",
    description:
      "A recording of a terminal: the demo runs a check, changes a shell script, runs the check again and says what it did.",
    env: {},
    act: async ({ type, shows, rest }) => {
      await type("codexwright run --demo\r");
      await shows(/\n\$ $/);
      await rest(200);
    },
  });
}

/** An approval: Codex asks, one key answers, and the command runs. */
export async function approvalScene(): Promise<TerminalPicture> {
  await using model = await scriptedModel(APPROVAL);
  await using server = await realAppServer({ model });
  await writeFile(
    path.join(server.workspace, "CHANGES"),
    "0.2.0 Answers come in order.\n0.1.0 First version.\n",
  );
  return await filmed({
    title: "An approval in the terminal",
    description:
      "A recording of a terminal: Codex asks whether it may run a command outside its sandbox, the user presses y, and the command runs.",
    env: server.clientOptions.env,
    cwd: server.workspace,
    act: async ({ type, shows, rest }) => {
      await type(`codexwright run --sandbox read-only --approval on-request "Start the notes of 0.2"\r`);
      await shows(/Allow|y {2}/);
      await rest(1_500);
      await type("y");
      await shows(/\n\$ $/);
      await rest(200);
    },
  });
}

const APPROVAL: readonly ModelStep[] = [
  [
    spoken(
      "I will copy the newest line of CHANGES into notes.txt. The sandbox is read-only, so I ask first.",
      {
        phase: "commentary",
      },
    ),
    exec("head -n 1 CHANGES | tee notes.txt", { justification: "Write notes.txt into the workspace." }),
  ],
  spoken("Done: notes.txt has the line of 0.2.0.", { phase: "final_answer" }),
];

function spoken(text: string, { phase }: { readonly phase: string }): ReturnType<typeof reply> {
  return reply(text, { phase, deltas: text.match(/\S+\s*/g) ?? [], delayMs: WORD_MS });
}

/** Records a scene in its own folders, with `codexwright` and `codex` on the PATH. */
async function filmed({ title, description, env, cwd, act }: Scene): Promise<TerminalPicture> {
  const root = await mkdtemp(path.join(tmpdir(), "codexwright-pictures-"));
  try {
    const folder = async (name: string): Promise<string> => {
      await mkdir(path.join(root, name));
      return path.join(root, name);
    };
    const [bin, home, codexHome, project] = [
      await folder("bin"),
      await folder("home"),
      await folder("codex-home"),
      await folder("project"),
    ];
    const command = path.join(ROOT, "packages/cli/dist/codexwright.js");
    await writeFile(
      path.join(bin, "codexwright"),
      `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
    const settings = path.join(root, "settings.sh");
    await writeFile(settings, "PS1='$ '\n");
    const places = [bin, path.join(ROOT, "node_modules/.bin"), process.env["PATH"] ?? ""];
    const clean = { NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined, INIT_CWD: undefined };
    const chunks = await record(
      {
        cwd: cwd ?? project,
        env: {
          ...process.env,
          ...clean,
          HOME: home,
          CODEX_HOME: codexHome,
          LANG: "C.UTF-8",
          LC_ALL: "C.UTF-8",
          ...env,
          PATH: places.join(path.delimiter),
          ENV: settings,
        },
        columns: COLUMNS,
        rows: ROWS,
      },
      act,
    );
    const frames = paced(await framesOf(chunks, { columns: COLUMNS, rows: ROWS }), MOST_PAUSE_MS);
    return { title, description, columns: COLUMNS, frames };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
