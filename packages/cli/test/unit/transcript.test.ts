import type { TurnEvent } from "codexwright";
import type { ThreadItem } from "codexwright/protocol";
import { describe, expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { GrowingBlocks } from "../../src/show/blocks.ts";
import type { Look } from "../../src/show/item-block.ts";
import { Transcript } from "../../src/show/transcript.ts";
import { plain } from "../../src/shared/style.ts";

const LOOK: Look = { style: plain(), folder: "/work", markdown: (text) => `<${text}>` };
const PLACE = { threadId: "t", turnId: "u" };

function event(method: string, params: Record<string, unknown>): TurnEvent {
  return { method, params: { ...PLACE, ...params } } as unknown as TurnEvent;
}

function started(item: Partial<ThreadItem>): TurnEvent {
  return event("item/started", { item });
}

function completed(item: Partial<ThreadItem>): TurnEvent {
  return event("item/completed", { item });
}

function say(itemId: string, delta: string): TurnEvent {
  return event("item/agentMessage/delta", { itemId, delta });
}

const END = event("turn/completed", { turn: { id: "u" } });

function command(fields: Record<string, unknown>): Partial<ThreadItem> {
  return {
    type: "commandExecution",
    id: "c",
    command: "/bin/bash -lc 'seq 30'",
    ...fields,
  };
}

describe("a message", () => {
  verifies("cli.run.text", "is printed block by block as blocks become complete", () => {
    const transcript = new Transcript(LOOK, true);
    expect(transcript.push(say("m", "One"))).toBe("");
    expect(transcript.live()).toEqual(["One"]);
    expect(transcript.push(say("m", " two.\n\nThr"))).toBe("<One two.>\n");
    expect(transcript.live()).toEqual(["Thr"]);
    expect(transcript.push(say("m", "ee."))).toBe("");
    expect(transcript.push(completed({ type: "agentMessage", id: "m", text: "One two.\n\nThree." }))).toBe(
      "\n<Three.>\n",
    );
    expect(transcript.live()).toEqual([]);
  });

  verifies("cli.run.text", "that arrives complete is printed immediately", () => {
    const transcript = new Transcript(LOOK, false);
    expect(transcript.push(completed({ type: "agentMessage", id: "m", text: "All." }))).toBe("<All.>\n");
  });

  verifies("cli.run.text", "keeps fenced code together", () => {
    const blocks = new GrowingBlocks();
    expect(blocks.push("a\n\n```js\nx\n\n```js\n\ny\n``")).toBe("a\n\n");
    expect(blocks.push("`\n\nb")).toBe("```js\nx\n\n```js\n\ny\n```\n\n");
    expect(blocks.push("\n\n- c\n  ```\n  x\n\n")).toBe("b\n\n");
    expect(blocks.rest).toBe("- c\n  ```\n  x\n\n");
  });

  verifies("cli.unsafe.size", "that is one block of many pieces is processed once", () => {
    const transcript = new Transcript(LOOK, true);
    transcript.push(say("m", "```\n"));
    for (let piece = 0; piece < 20_000; piece++) transcript.push(say("m", `line ${piece}\n\n`));
    expect(transcript.live()).toEqual(["line 19997", "", "line 19998", "", "line 19999"]);
  });

  verifies("cli.run.text", "that was cut off is printed as far as it arrived", () => {
    const transcript = new Transcript(LOOK, false);
    transcript.push(say("m", "One.\n\nTw"));
    expect(transcript.push(END)).toBe("\n<Tw>\n");
  });

  verifies("cli.run.text", "cannot send control sequences to the terminal", () => {
    const transcript = new Transcript(LOOK, true);
    transcript.push(say("m", "a\u001B]0;title\u0007b\u001B[2Jc"));
    expect(transcript.live()).toEqual(["abc"]);
  });
});

describe("a command", () => {
  verifies("cli.run.text", "shows the end of its output while it runs, and more of it afterwards", () => {
    const transcript = new Transcript(LOOK, true);
    expect(transcript.push(started(command({})))).toBe("");
    const output = Array.from({ length: 30 }, (_, index) => `${index + 1}\n`).join("");
    transcript.push(event("item/commandExecution/outputDelta", { itemId: "c", delta: output }));
    expect(transcript.live()).toEqual([
      "$ seq 30",
      "  … 25 more lines",
      "  26",
      "  27",
      "  28",
      "  29",
      "  30",
    ]);
    const text = transcript.push(
      completed(command({ aggregatedOutput: output, exitCode: 2, status: "failed" })),
    );
    expect(text).toMatch(/^\$ seq 30\n {2}… 20 more lines\n {2}21\n[^]+ {2}30\n {2}exit code 2\n$/);
    expect(transcript.live()).toEqual([]);
  });

  verifies("cli.run.text", "is marked if it was declined", () => {
    const text = new Transcript(LOOK, false).push(completed(command({ status: "declined", exitCode: null })));
    expect(text).toBe("$ seq 30\n  declined\n");
  });
});

describe("other items", () => {
  verifies("cli.run.text", "shows a changed file as its diff, by its name in the folder", () => {
    const changes = [
      { path: "/work/a.txt", kind: { type: "update", move_path: null }, diff: "@@ -1 +1 @@\n-a\n+b\n" },
      { path: "/else/n.txt", kind: { type: "add" }, diff: "new\n" },
    ];
    const item = { type: "fileChange", id: "f", status: "completed", changes } as unknown as ThreadItem;
    expect(new Transcript(LOOK, false).push(completed(item))).toBe(
      "a.txt +1 -1\n  @@ -1 +1 @@\n  -a\n  +b\n\n/else/n.txt (new) +1 -0\n  +new\n",
    );
  });

  verifies(
    "cli.run.text",
    "shows a plan as a checklist that is updated: below the text on a terminal, and within the text elsewhere",
    () => {
      const first = event("turn/plan/updated", {
        plan: [
          { step: "look", status: "inProgress" },
          { step: "do", status: "pending" },
        ],
      });
      const second = event("turn/plan/updated", { plan: [{ step: "look", status: "completed" }] });
      const live = new Transcript(LOOK, true);
      expect(live.push(first)).toBe("");
      expect(live.live()).toEqual(["", "[>] look", "[ ] do"]);
      live.push(second);
      expect(live.live()).toEqual(["", "[x] look"]);
      expect(live.push(END)).toBe("  [x] look\n");
      const flat = new Transcript(LOOK, false);
      expect(flat.push(first) + flat.push(second) + flat.push(END)).toBe(
        "  [>] look\n  [ ] do\n\n  [x] look\n",
      );
    },
  );

  verifies(
    "cli.run.text",
    "shows reasoning when it is complete; shows steering messages, but does not repeat the task",
    () => {
      const transcript = new Transcript(LOOK, true);
      const user = (id: string, text: string): TurnEvent =>
        completed({ type: "userMessage", id, content: [{ type: "text", text }] } as unknown as ThreadItem);
      expect(transcript.push(user("1", "the task"))).toBe("");
      transcript.push(event("item/reasoning/summaryTextDelta", { itemId: "r", delta: "Hm" }));
      expect(transcript.live()).toEqual(["Hm"]);
      const reasoning = {
        type: "reasoning",
        id: "r",
        summary: ["Hm."],
        content: [],
      } as unknown as ThreadItem;
      expect(transcript.push(completed(reasoning))).toBe("Hm.\n");
      expect(transcript.push(user("2", "also this"))).toBe("\n› also this\n");
    },
  );

  verifies("cli.run.text", "reports when the server retries", () => {
    const error = event("error", { willRetry: true, error: { message: "reconnecting" } });
    expect(new Transcript(LOOK, false).push(error)).toBe("reconnecting\n");
  });
});
