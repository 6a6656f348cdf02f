/** Kinds of content for one very long line. Their parsing and decoding costs differ. */
export const SHAPES = ["ascii", "objects", "unicode"] as const;
export type Shape = (typeof SHAPES)[number];

export const SHAPE_NAMES: Readonly<Record<Shape, string>> = {
  ascii: "one ASCII string",
  objects: "many small objects",
  unicode: "non-ASCII text",
};

/** A value whose JSON has about `bytes` bytes in UTF-8. */
export function valueOf(shape: Shape, bytes: number): unknown {
  return MAKERS[shape](bytes);
}

const MAKERS: Readonly<Record<Shape, (bytes: number) => unknown>> = {
  ascii: (bytes) => repeated("The quick brown fox jumps over the lazy dog. ", bytes),
  unicode: (bytes) => repeated("Größe, 速い茶色の狐, быстрая лиса 🦊 ", bytes),
  objects: (bytes) =>
    Array.from({ length: Math.floor(bytes / OBJECT_BYTES) }, (_, n) => ({
      id: 100_000 + (n % 900_000),
      name: `file-${100_000 + (n % 900_000)}.ts`,
      open: true,
      at: [1, 2],
    })),
};
/**
 * The size of an object with seven values. 32 MB of such objects have fewer values than the 4,194,304 that the library
 * accepts in a message.
 */
const OBJECT_BYTES = 61;

function repeated(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
}
