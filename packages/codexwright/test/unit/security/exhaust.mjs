// Makes each call with 0, 1, 2 … 12 free descriptors, and prints each outcome as a line of JSON. It is started with a
// low limit of descriptors.
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const [lib, limit, ...calls] = process.argv.slice(2);
const load = (name) => import(`${lib}/${name}.js`);
const { Workspace, overlayFs } = await load("workspace");
const { listen } = await load("server");
const { record } = await load("recording");
const { fakeAppServer, scriptedModel, realAppServer, reply, wireScript } =
  await import("@codexwright/testing");
const { unixSocket } = await load("unix");
const { websocket } = await load("websocket");

process.on("uncaughtException", (error) => console.log(JSON.stringify({ uncaught: String(error) })));

const dir = mkdtempSync(path.join(tmpdir(), "exhaust-"));
// A call that runs out of descriptors may leave its folder behind. All folders are therefore in this one, which is
// removed.
process.env.TMPDIR = dir;
mkdirSync(`${dir}/files/sub`, { recursive: true });
for (const name of ["a", "sub/b"]) writeFileSync(`${dir}/files/${name}`, name);
const signal = new AbortController().signal;
const endpoint = { accept: (transport) => transport.open({ line() {}, closed() {} }) };
const workspace = () =>
  Workspace.create({ mounts: [{ from: `${dir}/files` }], allowedRoots: "any", parent: dir });
const files = overlayFs(`${dir}/files`);

// Prepares everything that the calls use before descriptors run out.
const used = await workspace();
const checkpoint = await used.checkpoint();
// Git is started for a diff only if there are changes.
writeFileSync(path.join(used.dir, "changed"), "x");
const servers = [await listen(endpoint, "ws://127.0.0.1:0"), await listen(endpoint, `unix://${dir}/s`)];
const model = await scriptedModel([reply("x")]);
const disposed = [];
for (let n = 0; n < 14; n++) disposed.push(await workspace());

let n = 0;
const fakes = [];
const acts = {
  create: () => workspace(),
  dispose: () => disposed.pop()[Symbol.asyncDispose](),
  checkpoint: () => used.checkpoint(),
  firstCheckpoint: () => fresh.checkpoint(),
  diff: () => used.diff(checkpoint),
  revert: () => used.revert(checkpoint),
  read: () => files.readText("sub/b"),
  write: () => files.write(`new-${n++}/in/it`, "x"),
  list: () => files.list(),
  remove: () => files.remove("none"),
  listenWs: () => listen(endpoint, "ws://127.0.0.1:0"),
  listenUnix: () => listen(endpoint, `unix://${dir}/u${n++}`),
  connectWs: () => websocket(servers[0].url)(signal),
  connectUnix: () => unixSocket(`${dir}/s`)(signal),
  model: () => scriptedModel([reply("x")]),
  world: () => realAppServer({ model }),
  fakeProgram: async () => withFake((fake) => fake.executable),
  wireProgram: async () => {
    const script = wireScript({ script: [] });
    try {
      return void script.executable;
    } finally {
      script[Symbol.dispose]();
    }
  },
  record: async () => {
    const script = wireScript({ script: [] });
    const recorder = record(script.transport, `${dir}/recording-${n++}`, { onError() {} });
    const transport = await recorder(signal);
    transport.open({ line() {}, closed() {} });
    await transport.send('{"method":"initialized"}');
    await transport.close();
    await recorder.flush();
  },
};
const fresh = await workspace();

async function withFake(use) {
  const fake = fakeAppServer({ model: [] });
  try {
    use(fake);
  } finally {
    // Close the fake later, because removing its folder needs descriptors.
    fakes.push(fake);
  }
}

/** Returns the outcome of a call, and closes what it created. */
async function outcomeOf(call, afterwards = () => {}) {
  const { value, error } = await call().then(
    (result) => ({ value: result }),
    (reason) => ({ error: reason }),
  );
  afterwards();
  await (value?.[Symbol.asyncDispose] ? value[Symbol.asyncDispose]() : value?.close?.());
  const reached = error?.limit ?? error?.cause?.limit;
  return { outcome: error ? [error.code, reached].join(" ").trim() : "done", message: error?.message };
}

/** Uses up all descriptors except this many. Returns a function that frees them. */
function exhaust(left) {
  const held = [];
  try {
    for (;;) held.push(openSync("/dev/null"));
  } catch {
    for (let free = 0; free < left; free++) closeSync(held.pop());
  }
  return () => held.forEach((fd) => closeSync(fd));
}

if (limit === "processes") {
  // The limit also counts threads, and this user already has more than one.
  execFileSync("prlimit", ["--nproc=1", "--pid", `${process.pid}`]);
  console.log(JSON.stringify({ call: "diff", left: 0, ...(await outcomeOf(acts.diff)) }));
} else {
  for (const call of calls) {
    const act = acts[call];
    // On Bun, the server does not close the connection but accepts it later, so a client of the same process would wait
    // forever.
    const waits = "Bun" in globalThis && call.startsWith("connect");
    for (let left = 0; left <= 12; left += waits ? 12 : 1) {
      const free = exhaust(left);
      console.log(JSON.stringify({ call, left, ...(await outcomeOf(act, free)) }));
    }
    console.log(JSON.stringify({ call, left: "all", ...(await outcomeOf(act)) }));
  }
}
for (const one of [...servers, ...fakes, model, used, fresh]) await one[Symbol.asyncDispose]();
rmSync(dir, { recursive: true, force: true });
process.exit(0);
