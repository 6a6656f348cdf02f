import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import type { ThreadItem } from "codexwright/protocol";
import { expect } from "vitest";
import { EngineServer, type ModelEvent, type ModelProvider, type ToolHandler } from "@codexwright/engine";
import { imageFormatOf } from "@codexwright/engine/internal";
import { nodeFiles } from "@codexwright/engine/node";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, connect, message, modelOf, optionsOf } from "../ports.ts";
import { GIF, JPEG, large, PNG, WEBP, wide } from "./image-samples.ts";

async function folder(): Promise<{ readonly at: (name: string) => string } & AsyncDisposable> {
  const root = await mkdtemp(path.join(tmpdir(), "images-"));
  return {
    at: (name) => path.join(root, name),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** Lets the model view files in one turn. Returns the outputs, the items, and the tools that the model was offered. */
async function viewed(cwd: string, paths: readonly string[], more: Partial<ModelProvider> = {}) {
  const calls = paths.map((each, n) => call(`c${n}`, "view_image", { path: each }));
  const model = { ...modelOf([...calls, completed], [...message("m", "done"), completed]), ...more };
  await using server = new EngineServer(optionsOf(model, { files: nodeFiles(), cwd }));
  await using codex = await connect(server);
  const { items } = await (await codex.startThread({ cwd })).run("go");
  const [first, second] = model.requests;
  const outputs = (second?.input ?? []).filter(({ type }) => type === "function_call_output");
  return {
    outputs: outputs.map(({ output }) => output),
    viewed: items.filter(
      (item): item is Extract<ThreadItem, { type: "imageView" }> => item.type === "imageView",
    ),
    offered: first?.tools.some(({ name }) => name === "view_image"),
    failures: server.failures,
  };
}

const url = (mime: string, bytes: Uint8Array): string =>
  `data:image/${mime};base64,${Buffer.from(bytes).toString("base64")}`;

verifies("engine.loop.images", "sends images of four formats, by any path, also through links", async () => {
  await using place = await folder();
  const files = { "a.png": PNG, "b.jpg": JPEG, "c.gif": GIF, "d.webp": WEBP };
  mkdirSync(place.at("sub"));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(place.at(name), bytes);
  symlinkSync(place.at("a.png"), place.at("sub/link"));
  const paths = [...Object.keys(files), place.at("a.png"), "sub/../sub/link"];
  const { outputs, viewed: items, offered } = await viewed(place.at(""), paths);
  const images = [
    url("png", PNG),
    url("jpeg", JPEG),
    url("gif", GIF),
    url("webp", WEBP),
    url("png", PNG),
    url("png", PNG),
  ];
  expect(outputs).toEqual(images.map((image) => [{ type: "input_image", image_url: image, detail: "high" }]));
  expect(items.map((item) => item.path)).toEqual(
    [...Object.keys(files), "a.png", "sub/link"].map((name) => place.at(name)),
  );
  expect(offered).toBe(true);
});

verifies(
  "engine.loop.images",
  "refuses all other files in bounded time, with a text for the model",
  async () => {
    await using place = await folder();
    execFileSync("mkfifo", [place.at("fifo")]);
    mkdirSync(place.at("folder"));
    symlinkSync("loop", place.at("loop"));
    symlinkSync(place.at("fifo"), place.at("to-fifo"));
    symlinkSync("/dev/zero", place.at("to-zero"));
    writeFileSync(place.at("huge.png"), PNG);
    truncateSync(place.at("huge.png"), 64 * 1024 ** 3);
    writeFileSync(place.at("wide.png"), wide(9_000));
    writeFileSync(place.at("text.png"), "no image");
    writeFileSync(place.at("empty.png"), "");
    writeFileSync(place.at("cut.png"), PNG.subarray(0, PNG.length - 13));
    writeFileSync(place.at("page.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    writeFileSync(place.at("secret.png"), PNG);
    chmodSync(place.at("secret.png"), 0);
    const expected: readonly (readonly [name: string, text: string])[] = [
      ["missing.png", "unable to locate image"],
      ["a.png/b", "unable to locate image"],
      ["", "not a path"],
      ["a\0b", "not a path"],
      ["folder", "is not a file"],
      ["fifo", "is not a file"],
      ["to-fifo", "is not a file"],
      ["to-zero", "is not a file"],
      ["loop", "unable to locate image"],
      ["/proc/self/environ", "unable to read image"],
      ["huge.png", "is larger than"],
      ["wide.png", "9000 x 1 pixels"],
      ["text.png", "invalid or unsupported"],
      ["empty.png", "invalid or unsupported"],
      ["cut.png", "invalid or unsupported"],
      ["page.svg", "invalid or unsupported"],
      ...(process.getuid?.() === 0 ? [] : ([["secret.png", "unable to read image"]] as const)),
    ];
    const {
      outputs,
      viewed: items,
      failures,
    } = await viewed(
      place.at(""),
      expected.map(([name]) => name),
    );
    for (const [n, [name, text]] of expected.entries()) {
      expect([name, outputs[n]]).toEqual([name, expect.stringContaining(text)]);
    }
    expect(items).toEqual([]);
    expect(failures).toEqual([]);
  },
  { skip: onWindows },
);

verifies(
  "security.s61",
  "the images that a model looks at fit into its requests, and the thread goes on",
  async () => {
    await using place = await folder();
    writeFileSync(place.at("large.png"), large(8 * 1024 * 1024));
    writeFileSync(place.at("small.png"), PNG);
    const views = (from: number, name: string): ModelEvent[] =>
      Array.from({ length: 7 }, (_, n) => call(`c${from + n}`, "view_image", { path: name }));
    const model = modelOf(
      [...views(0, "large.png"), completed],
      [...views(7, "large.png"), completed],
      [...views(14, "small.png"), completed],
      [...message("m", "done"), completed],
    );
    await using server = new EngineServer(optionsOf(model, { files: nodeFiles(), cwd: place.at("") }));
    await using codex = await connect(server);
    expect((await (await codex.startThread()).run("go")).agentMessage).toBe("done");
    const last = JSON.stringify(model.requests[3]?.input);
    expect(last.length).toBeLessThan(65 * 1024 * 1024);
    // Five large images fit, and then only the small ones.
    expect(last.match(/"input_image"/g)).toHaveLength(12);
    expect(last.match(/images of this conversation are too large/g)).toHaveLength(9);
  },
);

verifies("security.s61", "an output of many parts takes a bounded part of the conversation", async () => {
  const parts = Array.from({ length: 50_000 }, () => ({ type: "input_text", text: "" }));
  const model = modelOf([call("c", "parts", {}), completed], [...message("m", "done"), completed]);
  const tool: ToolHandler = {
    name: "parts",
    parallel: true,
    spec: () => undefined,
    run: () => ({ output: parts }),
  };
  await using server = new EngineServer(optionsOf(model, { tools: [tool] }));
  await using codex = await connect(server);
  await (await codex.startThread()).run("go");
  const output = model.requests[1]?.input.find(({ type }) => type === "function_call_output")?.["output"];
  expect(JSON.stringify(output).length).toBeLessThan(48_000);
});

verifies("engine.loop.images", "no image goes to a model that takes none", async () => {
  await using place = await folder();
  writeFileSync(place.at("a.png"), PNG);
  const {
    outputs,
    offered,
    viewed: items,
  } = await viewed(place.at(""), ["a.png"], { takesImages: () => false });
  expect(outputs).toEqual(["view_image is not allowed because you do not support image inputs"]);
  expect([offered, items]).toEqual([false, []]);
});

verifies("engine.loop.images", "a user attaches images by their paths", async () => {
  await using place = await folder();
  writeFileSync(place.at("a.png"), PNG);
  const model = modelOf([...message("m", "done"), completed]);
  await using server = new EngineServer(optionsOf(model, { files: nodeFiles(), cwd: place.at("") }));
  await using codex = await connect(server);
  const input = ["a.png", "missing.png"].map((name) => ({
    type: "localImage" as const,
    path: place.at(name),
  }));
  await (await codex.startThread()).run([{ type: "text", text: "look" }, ...input]);
  expect(model.requests[0]?.input.at(-1)?.["content"]).toEqual([
    { type: "input_text", text: "look" },
    { type: "input_text", text: `<image name=[Image #1] path="${place.at("a.png")}">` },
    { type: "input_image", image_url: url("png", PNG), detail: "high" },
    { type: "input_text", text: "</image>" },
    { type: "input_text", text: expect.stringContaining("missing.png cannot be used") },
  ]);
});

verifies("engine.loop.images", "reads any bytes without an error, and no image that is cut off", () => {
  for (const [mime, sample] of Object.entries({ png: PNG, jpeg: JPEG, gif: GIF, webp: WEBP })) {
    expect(imageFormatOf(sample)).toEqual({ mime: `image/${mime}`, width: 3, height: 2 });
    for (let end = 0; end < sample.length; end++)
      expect(imageFormatOf(sample.subarray(0, end))).toBe(undefined);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const bytes = Uint8Array.from(sample);
        for (const [at, value] of changes) bytes[at] = value;
        imageFormatOf(bytes);
      }),
    );
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => imageFormatOf(bytes) === undefined));
});
