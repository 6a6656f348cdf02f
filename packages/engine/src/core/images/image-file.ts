import { normal } from "../confinement/paths.ts";
import { realPath } from "../confinement/pin-policy.ts";
import { toBase64 } from "../bytes.ts";
import type { Files, Paths } from "../ports.ts";
import { imageFormatOf } from "./image-format.ts";

/** The largest image that a model is sent. */
export const IMAGE_BYTES: number = 8 * 1024 * 1024;
/** The longest side of an image that providers accept. They make large images smaller themselves. */
export const IMAGE_SIDE = 8_000;

/** An image file that cannot be sent. The message is for the model. */
export class ImageError extends Error {}

interface Place {
  readonly files: Files;
  readonly paths: Paths;
  readonly cwd: string;
}

/** Returns the absolute path of an image file as the model means it. */
export function imagePath(file: string, { paths, cwd }: Omit<Place, "files">): string {
  if (file === "" || file.includes("\0")) throw new ImageError("the path of the image is not a path");
  return normal(paths.resolve(cwd, file));
}

/** Reads an image file into a data URL. Follows links. Throws an {@link ImageError} if models do not accept it. */
export async function readImage(path: string, files: Files): Promise<string> {
  const bytes = await readFile(path, files);
  const format = imageFormatOf(bytes);
  if (!format) throw new ImageError("unable to process image: invalid or unsupported image data");
  const { mime, width, height } = format;
  if (Math.max(width, height) > IMAGE_SIDE) {
    throw new ImageError(
      `unable to process image: it has ${width} x ${height} pixels; the longest side may have ${IMAGE_SIDE}`,
    );
  }
  return `data:${mime};base64,${toBase64(bytes)}`;
}

async function readFile(path: string, files: Files): Promise<Uint8Array> {
  let real: string;
  try {
    real = realPath(path, files);
    const kind = files.kind(real);
    if (kind === undefined)
      throw new ImageError(`unable to locate image at \`${path}\`: No such file or directory (os error 2)`);
    if (kind !== "file") throw new ImageError(`image path \`${path}\` is not a file`);
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError(`unable to locate image at \`${path}\`: ${(error as Error).message}`);
  }
  try {
    const found = await files.readRegular(real, IMAGE_BYTES);
    if (found) return found.bytes;
  } catch (error) {
    throw new ImageError(`unable to read image at \`${path}\`: ${(error as Error).message}`);
  }
  throw new ImageError(`unable to locate image at \`${path}\`: it was removed`);
}
