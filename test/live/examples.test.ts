import path from "node:path";
import { expect } from "vitest";
import type { ModelRequest } from "@codexwright/testing";
import { codexBinary } from "../../scripts/install-cached.ts";
import { soleBrowserLogin } from "@codexwright/test-support/browser-login";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

const PINNED = { against: "pinned" } as const;

const effort = ({ body }: ModelRequest): unknown => (body["reasoning"] as { effort?: string }).effort;

verifies(
  "docs.examples",
  "threads: runs several turns, resumes in another process, forks, and lists threads",
  async () => {
    const { stdout, requests } = await play("threads");
    expect(stdout).toContain("Heard: Add a test for the parser.\nHeard: Now make it pass. 220 diff --git ");
    expect(stdout.slice(stdout.indexOf("+test();"))).toBe(`+test();

userMessage
changed 1 file(s)
agentMessage
The parser's test has 4 turns
Heard: What did we do yesterday?
Heard: Try it without regular expressions.
true 6 5
stored: The parser's test
stored: The parser's test
`);
    expect(requests.map(effort).slice(2, 5)).toEqual([undefined, "high", "high"]);
  },
  PINNED,
);

verifies(
  "docs.examples",
  "streaming: shows events and state, steers, queues and interrupts",
  async () => {
    const { stdout } = await play("streaming");
    expect(stdout.replace(/in \d+ ms/, "in … ms")).toMatch(
      new RegExp(
        String.raw`^\$ \S+ -lc 'echo README.md'
README.md

A project with a README.
20 tokens in … ms
active, 0 open, 110 tokens: userMessage completed, agentMessage inProgress
active, 0 open, 110 tokens: userMessage completed, agentMessage inProgress
\w+, 0 open, 110 tokens: userMessage completed, agentMessage completed
steered
Heard: Make it about the sea.
queued started
turn_interrupted
Heard: Then say what you saw.
Heard: Stop waiting.
cut off: A river
$`,
      ),
    );
  },
  PINNED,
);

verifies(
  ["docs.examples", "realtime.text"],
  "realtime: holds a conversation in text and ends it",
  async () => {
    const { stdout } = await play("realtime");
    expect(stdout).toBe("The sea, moved by the moon.\nrequested\n");
  },
  PINNED,
);

verifies(
  "docs.examples",
  "approvals: applies a rule for each kind, asks a person, and handles a withdrawn question",
  async () => {
    const { stdout, requests, files } = await play("approvals");
    // A question that is withdrawn may leave an empty line.
    expect(
      stdout
        .trimEnd()
        .replaceAll(/\s*\n\s*/g, "\n")
        .replaceAll(/Run \S+ -lc/g, "Run sh -lc"),
    ).toBe(
      `Run sh -lc 'echo clean'? (cleans up) [y/N] fileChange completed
commandExecution completed
commandExecution completed
fileChange declined
Run sh -lc 'rm -r build'? (as you asked) [y/N]
turn_interrupted: the question is closed`,
    );
    expect(requests[1]?.toolOutputs["call_0_0"]).toBe('{"answers":{"colour":{"answers":["Red"]}}}');
    expect(files).toEqual(expect.arrayContaining(["notes.md", "todo.txt"]));
    expect(files).not.toContain("other.txt");
  },
  PINNED,
);

verifies(
  "docs.examples",
  "tools: typed, parallel, with a deadline, with an image, from JSON Schema, and after a resume",
  async () => {
    const { stdout, requests } = await play("tools");
    // Parallel calls complete in any order.
    expect(stdout.split("\n").toSorted()).toEqual(
      `stock ok: {"pieces":40}
stock failed: The arguments of stock are invalid:
- warehouse: Invalid option: expected one of "north"|"south"
ask_supplier failed: ask_supplier did not finish within 500 ms and was cancelled
photo ok: This is the bolt:
order failed: no supplier delivers 500 of bolt
order failed: The arguments of order are invalid:
- pieces: must be at least 1
order ok: {"ordered":5}
Ordered 5 bolts.
Told: {"pieces":3}
`
        .split("\n")
        .toSorted(),
    );
    expect(JSON.stringify(requests[2]?.input)).toContain("data:image/png;base64,");
    // The guide states this about the server: the limits in a tool's schema do not reach the model.
    const offered = JSON.stringify(requests[0]?.body["tools"]);
    expect(offered).toContain('"pieces":{"type":"integer"}');
  },
  PINNED,
);

verifies(
  "docs.examples",
  "structured output: typed, repaired, invalid, and rejected when the call is made",
  async () => {
    const { stdout, requests } = await play("structured-output");
    expect(stdout).toContain(`good 16 undefined
No test covers it.
the answer does not match the output schema: verdict: Invalid option: expected one of "good"|"bad"; summary: Too small: expected string to have >=10 characters
{"verdict":"fine","summary":"Yes.","line":null}
verdict: Invalid option: expected one of "good"|"bad"
summary: Too small: expected string to have >=10 characters
output cannot be converted to a strict schema:
output.byFile: an object with undeclared properties (a record) is not supported: declare them, or use a list of objects with a key and a value
`);
    expect(requests[2]?.lastUserText).toBe(`Your last answer does not match the required output schema:
- summary: Too small: expected string to have >=10 characters
Answer again with the complete, corrected JSON and nothing else.`);
    expect(stdout).toContain("a.ts 0.5");
  },
  PINNED,
);

verifies(
  ["docs.examples", "client.server-death"],
  "errors: a failed turn, limits, a busy thread, delivery, and a server that dies",
  async () => {
    const { stdout } = await play("errors");
    expect(stdout.replace(/thread \S+ is/, "thread … is").replace(/turn \S+ was i/, "turn … was i")).toBe(
      `turn_failed: HTTP 429, exceeded retry limit, last status: 429 Too Many Requests
turn_timeout by timeoutMs: the turn did not end within 2000 ms (option timeoutMs)
turn_timeout by silenceMs: no event of the turn arrived for 1000 ms (option silenceMs)
aborted: the turn was aborted by its signal
thread_busy: thread … is running a turn: await it, or steer or interrupt it
turn_interrupted: turn … was interrupted
aborted notSent
thread_not_found rejected
rpc rejected
exit: the app-server was ended by SIGKILL
connection_closed SIGKILL unknown
connection_closed: the app-server was ended by SIGKILL
the last turn is interrupted
Heard: See what is done, and go on.
`,
    );
  },
  PINNED,
);

verifies(
  ["docs.examples", "exec.streaming", "exec.stdin", "exec.pty", "exec.kill", "fs.methods", "fs.watch"],
  "commands: streams output, writes input, uses a terminal, ends and caps a command; reads files and watches",
  async () => {
    const { stdout, files } = await play("commands");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("commands"));
    expect(files).not.toContain("notes");
  },
  PINNED,
);

verifies(
  ["docs.examples", "login.api-key", "login.browser", "login.cancel"],
  "login: logs in by API key and out again, cancels a browser login, and reads limits without a login",
  async () => {
    await using _alone = await soleBrowserLogin();
    const { stdout } = await play("login");
    const told = stdout.trimEnd().split("\n");
    // The outcome of a device code depends on the network.
    expect(told.filter((line) => !/^(Enter|device code:) /.test(line))).toEqual(shown("login"));
    expect(stdout).toMatch(/^device code: (auth_failed|aborted)$/m);
  },
  PINNED,
);

verifies(
  ["docs.examples", "recovery.resume", "recovery.crash-loop"],
  "recovery: recovers a turn whose server dies, reports what cannot recover, and gives up after too many crashes",
  async () => {
    const { stdout } = await play("recovery");
    const told = stdout.replace("exit: the client was disconnected\n", "").trimEnd().split("\n");
    // Events arrive independently of the results of calls, in no fixed order.
    const isEvent = (line: string): boolean => /^(exit|reconnected):/.test(line);
    expect(told.filter((line) => isEvent(line))).toEqual(shown("recovery").filter((line) => isEvent(line)));
    expect(told.filter((line) => !isEvent(line))).toEqual(shown("recovery").filter((line) => !isEvent(line)));
  },
  PINNED,
);

for (const version of ["0.166.0", "0.98.0"])
  verifies(
    ["docs.examples", "exec.unsupported"],
    `versions: shows which methods ${version} has, both spellings, and which methods it lacks`,
    async () => {
      const [ours, other] = [shown("versions"), version !== "0.166.0"];
      // An example finds its Codex like any program: on the PATH first, then in the installed package.
      const folder = other ? path.dirname(await codexBinary(version)) + path.delimiter : "";
      const { stdout } = await play("versions", { env: { PATH: `${folder}${process.env["PATH"]}` } });
      // The page shows three parts: the methods of both versions side by side, then the other lines of our version, and
      // last those of the other version.
      const methods = ours.slice(0, 5).map((line) => line.split(/ {3,}/)[other ? 1 : 0]);
      expect(stdout.trimEnd().split("\n")).toEqual([
        ...methods,
        ...ours.slice(5, 9),
        ...(other ? ours.slice(11) : ours.slice(9, 11)),
      ]);
    },
    { against: `codex ${version}`, timeoutMs: 180_000 },
  );
