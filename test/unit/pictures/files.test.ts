import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { layersSvg, packagesSvg } from "../../../scripts/pictures/diagrams/layers.ts";
import { MOST_BYTES } from "../../../scripts/svg/files.ts";
import { THEMES } from "../../../scripts/svg/theme.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../../docs/pictures");
const files = readdirSync(FOLDER);

test("every picture exists in light and in dark, is small, and has a title and a description", () => {
  const names = [...new Set(files.map((file) => file.replace(/-(?:light|dark)\.svg$/, "")))];
  expect(names.length).toBeGreaterThan(5);
  expect(files.toSorted()).toEqual(
    names.flatMap((name) => [`${name}-dark.svg`, `${name}-light.svg`]).toSorted(),
  );
  for (const file of files) {
    const content = readFileSync(path.join(FOLDER, file), "utf8");
    expect(Buffer.byteLength(content)).toBeLessThan(MOST_BYTES);
    expect(content).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/);
    // A page may show a picture from another origin only if the picture loads nothing itself.
    expect(content.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<script|@import|href=/);
  }
});

test.each(THEMES)("`npm run pictures -- layers packages` would change nothing, in $name", (theme) => {
  const read = (name: string): string => readFileSync(path.join(FOLDER, `${name}-${theme.name}.svg`), "utf8");
  expect(read("layers")).toBe(layersSvg(theme));
  expect(read("packages")).toBe(packagesSvg(theme));
});
