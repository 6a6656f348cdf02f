import { deflateSync } from "node:zlib";

/** Images of 3 x 2 pixels. */
export const PNG: Buffer = decoded(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTzBf+1yIrkAAAAAElFTkSuQmCC",
);
export const JPEG: Buffer = decoded(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCKALXj/9k=",
);
export const GIF: Buffer = decoded("R0lGODlhAwACAIAAAP8AAAAAACwAAAAAAwACAAACA4R/BQA7");
export const WEBP: Buffer = decoded(
  "UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoDAAIAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==",
);

/** A PNG that is one pixel high, without checksums. */
export function wide(width: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(1, 4);
  header.set([8, 0], 8);
  const pixels = deflateSync(Buffer.alloc(width + 1));
  return Buffer.concat([PNG.subarray(0, 8), chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND")]);
}

/** A PNG with so many bytes. */
export function large(bytes: number): Buffer {
  const rest = Buffer.concat([chunk("IDAT"), chunk("IEND")]).length;
  const header = PNG.subarray(0, 33);
  return Buffer.concat([header, chunk("IDAT", Buffer.alloc(bytes - header.length - rest)), chunk("IEND")]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

function decoded(base64: string): Buffer {
  return Buffer.from(base64, "base64");
}
