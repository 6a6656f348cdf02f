import { writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../steps.ts";
import { THEMES, type Theme } from "./theme.ts";

export const PICTURES: string = path.join(ROOT, "docs/pictures");

/** The maximum size of a picture. A page loads all its pictures, so each must be small. */
export const MOST_BYTES: number = 150_000;

export type Draw = (theme: Theme) => string;

/** Writes `<name>-light.svg` and `<name>-dark.svg`. */
export function writePicture(name: string, draw: Draw): void {
  for (const theme of THEMES) {
    const file = path.join(PICTURES, `${name}-${theme.name}.svg`);
    const content = draw(theme);
    const bytes = Buffer.byteLength(content);
    if (bytes > MOST_BYTES)
      throw new Error(`${file} would have ${bytes} bytes; the maximum is ${MOST_BYTES}`);
    writeFileSync(file, content);
    console.log(`${path.relative(ROOT, file)} (${Math.ceil(bytes / 1024)} KiB)`);
  }
}
