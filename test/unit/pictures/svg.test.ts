import { expect, test } from "vitest";
import { element, escaped, svg, text, wrapped } from "../../../scripts/svg/svg.ts";
import { pictureTag } from "../../../scripts/svg/tag.ts";

test("attributes and text are escaped", () => {
  expect(text(1, 2.004, `a < "b" & c`)).toBe(`<text x="1" y="2">a &lt; &quot;b&quot; &amp; c</text>`);
  expect(element("rect", { fill: `"/><script>`, stroke: undefined })).toBe(
    `<rect fill="&quot;/&gt;&lt;script&gt;"/>`,
  );
});

test("control characters, which XML does not allow, become spaces", () => {
  expect(escaped("a\u001B[1m\u0000b\nc")).toBe("a [1m b\nc");
});

test("a picture has a title and a description for screen readers", () => {
  const made = svg({ width: 10, height: 20, title: "T & t", description: "D", style: "", body: ["<g/>"] });
  expect(made).toContain(`viewBox="0 0 10 20"`);
  expect(made).toContain(`role="img" aria-labelledby="title description"`);
  expect(made).toContain(`<title id="title">T &amp; t</title>\n<desc id="description">D</desc>`);
});

test("text is broken between words", () => {
  expect(wrapped("one two three four", 9)).toEqual(["one two", "three", "four"]);
  expect(wrapped("unbreakable", 4)).toEqual(["unbreakable"]);
});

test("a tag names both files", () => {
  const tag = pictureTag("demo", "A demo", "docs/pictures");
  expect(tag).toContain(`srcset="docs/pictures/demo-dark.svg"`);
  expect(tag).toContain(`src="docs/pictures/demo-light.svg"`);
  expect(tag).toContain(`alt="A demo"`);
});
