import type { ChildProcess } from "node:child_process";
import type { ModelScript } from "@codexwright/testing";

/** The surroundings of an example that runs without OpenAI. */
export interface Story {
  /** The answers of the model. */
  readonly script: ModelScript;
  /** Files of the workspace when the example starts, by path. */
  readonly workspace?: Readonly<Record<string, string>>;
  /** More TOML for the server's config.toml. */
  readonly config?: string;
  /** Functions that are called once the example has printed a text. */
  readonly cues?: Readonly<Record<string, (child: ChildProcess) => void>>;
  /** Called when the example has ended. */
  readonly end?: () => void;
}

/** Gives a story control of the server of its example. */
export interface Stage {
  /** Kills the server and what it has started. */
  readonly killServer: () => void;
}

/** Creates a story for one run. Every run gets its own, because some stories have state. */
export type StoryMaker = (stage: Stage) => Story | Promise<Story>;
