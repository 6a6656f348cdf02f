import type { ThreadItem } from "codexwright/protocol";
import { ImageError, imagePath, readImage } from "../images/image-file.ts";
import { VIEW_IMAGE } from "../instructions/tool-specs.ts";
import { textOf } from "../text.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";
import type { CallOutcome, ToolHandler } from "./tool-handler.ts";

/** The tool by which the model looks at an image file. */
export const viewImage: ToolHandler<TurnRun> = {
  name: "view_image",
  parallel: true,
  spec: (run) => (run.takesImages ? VIEW_IMAGE : undefined),
  run: ({ callId, input }, run) => view(run, callId, input),
};

/** Commands of every sandbox policy can read all files, so any image may be viewed. */
async function view(run: TurnRun, id: string, input: WireObject): Promise<CallOutcome> {
  if (!run.takesImages) {
    return { output: "view_image is not allowed because you do not support image inputs" };
  }
  const { files, platform } = run.host;
  try {
    const path = imagePath(textOf(input["path"]), { paths: platform.paths, cwd: run.cwd });
    const url = await readImage(path, files);
    const item = { type: "imageView", id, path } satisfies ThreadItem;
    run.items.start(item);
    run.items.complete(item);
    return { output: [{ type: "input_image", image_url: url, detail: "high" }] };
  } catch (error) {
    if (error instanceof ImageError) return { output: error.message };
    throw error;
  }
}
