import { reply, toolCall, type Scenario, type World } from "@codexwright/testing";
import { differential, run, steps } from "./case.ts";

const DONE = reply("done");

/** Images that the model views and that users attach. */
export const IMAGES: readonly Scenario[] = [
  differential(
    "image.viewed",
    "an image that the model views",
    steps(
      {
        model: [
          toolCall("view_image", { path: "dot.png" }),
          toolCall("view_image", { path: "missing.png" }),
          toolCall("view_image", { path: "text.txt" }),
          DONE,
        ],
      },
      async (codex, world) => {
        await image(codex.fs, world);
        await codex.fs.writeFile(`${world.workspace}/text.txt`, "not an image");
        await run(await codex.startThread(), "go");
      },
    ),
  ),
  differential(
    "image.attached",
    "images that the user attaches by their paths, one of which is not there",
    steps({ model: [DONE] }, async (codex, world) => {
      await image(codex.fs, world);
      const thread = await codex.startThread();
      await run(thread, [
        { type: "text", text: "look" },
        { type: "localImage", path: `${world.workspace}/dot.png` },
        { type: "localImage", path: `${world.workspace}/missing.png` },
      ]);
    }),
  ),
  differential(
    "image.large",
    "an image that is wider than models see it",
    steps({ model: [DONE] }, async (codex, world) => {
      const path = `${world.workspace}/wide.png`;
      await codex.fs.writeFile(path, Buffer.from(WIDE, "base64"));
      await run(await codex.startThread(), [{ type: "localImage", path }]);
    }),
  ),
];

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** A PNG of 3,000 x 1 pixels. */
const WIDE =
  "iVBORw0KGgoAAAANSUhEUgAAC7gAAAABCAAAAABrvLziAAAAGklEQVR42u3BMQEAAADCoPVPbQ0PoAAAgHsDC7kAASQ8zDAAAAAASUVORK5CYII=";

async function image(
  fs: { writeFile(path: string, bytes: Uint8Array): Promise<unknown> },
  { workspace }: World,
): Promise<void> {
  await fs.writeFile(`${workspace}/dot.png`, Buffer.from(PIXEL, "base64"));
}
