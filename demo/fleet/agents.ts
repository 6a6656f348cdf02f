import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  exec,
  fail,
  reply,
  scriptedModel,
  toolCall,
  userInput,
  type ModelRequest,
  type ModelResponse,
  type ScriptedModel,
} from "@codexwright/testing";
import { ASKS, CHOICES, FAILS, ISSUES, QUESTION } from "./issues.ts";

const FAILURES = 2;

/** The scripted model of all agents. It looks at the files, so an agent that was killed goes on where it was. */
export class Agents {
  /** The answer of the viewer to the question. */
  answer: string | undefined;
  /** The folder of the project. Set it before the first request. */
  folder = "";
  #failures = 0;
  readonly #paused = new Set<string>();

  async model(): Promise<ScriptedModel> {
    return await scriptedModel((request) => this.#respond(request));
  }

  isDone(name: string): boolean {
    return /^state: *done/m.test(readFileSync(path.join(this.folder, "issues", `${name}.md`), "utf8"));
  }

  #respond({ input }: ModelRequest): ModelResponse | undefined {
    const name = /You work on (RATE-\d)/.exec(JSON.stringify(input))?.[1] ?? "";
    const issue = ISSUES[name];
    if (issue === undefined) return undefined;
    if (this.isDone(name)) return reply(`${name} is done.`);
    if (name === FAILS && this.#failures < FAILURES) {
      this.#failures++;
      return fail(500, { message: "The model is overloaded." });
    }
    if (name === ASKS && this.answer === undefined) return question();
    const files = Object.keys(issue.files);
    const next = files.find((file) => !existsSync(path.join(this.folder, "workspaces", name, file)));
    if (next === undefined)
      return toolCall("issue_update", { state: "done", comment: `Wrote ${files.join(" and ")}.` });
    // A turn for each file: the issue is still active, so the fleet continues the thread.
    if (next !== files[0] && !this.#paused.has(name)) {
      this.#paused.add(name);
      return reply(`${files[0]} is written. The test is next.`);
    }
    const text = name === ASKS ? `The rates are in ${this.answer}.\n` : (issue.files[next] ?? "");
    return exec(`sleep 3 && printf %s ${quoted(text)} > ${next}`);
  }
}

function question(): ModelResponse {
  const [first, second] = CHOICES;
  const options = [
    { label: first, description: "A file." },
    { label: second, description: "A server." },
  ];
  return userInput([{ id: "database", header: "Database", question: QUESTION, options }]);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
