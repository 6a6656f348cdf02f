/** The format and the size of an image. */
export interface ImageFormat {
  readonly mime: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the format of an image, or `undefined` if the bytes have no format that models accept, or end too early. It
 * reads the structure of the file and does not decode its pixels.
 */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = png(view) ?? jpeg(view) ?? gif(view) ?? webp(view);
    return found && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    // A read behind the end: the file is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function png(view: DataView): ImageFormat | undefined {
  if (view.getUint32(0) !== 0x8950_4e47 || view.getUint32(4) !== 0x0d0a_1a0a) return undefined;
  if (text(view, 12, 4) !== "IHDR") return undefined;
  let hasPixels = false;
  // Chunks follow one another: length, type, data, checksum.
  for (let at = 8; ; at += 12 + view.getUint32(at)) {
    const type = text(view, at + 4, 4);
    hasPixels ||= type === "IDAT";
    if (type !== "IEND") continue;
    // Reads the checksum, the last part of the file.
    view.getUint32(at + 8);
    if (!hasPixels) return undefined;
    return { mime: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
  }
}

/** Markers of a JPEG file. "Start of frame" has the size; three numbers in its range mean other things. */
const FRAMES = { first: 0xc0, last: 0xcf, others: [0xc4, 0xc8, 0xcc] };
const START_OF_SCAN = 0xda;

function jpeg(view: DataView): ImageFormat | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  let size: Pick<ImageFormat, "width" | "height"> | undefined;
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    // Any number of fill bytes may come before a marker.
    while (view.getUint16(at) === 0xffff) at++;
    const [start, marker] = [view.getUint8(at), view.getUint8(at + 1)];
    if (start !== 0xff) return undefined;
    if (marker === START_OF_SCAN) break;
    if (marker >= FRAMES.first && marker <= FRAMES.last && !FRAMES.others.includes(marker)) {
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
  }
  if (!size || !hasEnd(view)) return undefined;
  return { mime: "image/jpeg", ...size };
}

/** Cameras append data behind the end, so the marker of the end is searched for backwards. */
function hasEnd(view: DataView): boolean {
  for (let at = view.byteLength - 2; at > 2; at--) if (view.getUint16(at) === 0xffd9) return true;
  return false;
}

function gif(view: DataView): ImageFormat | undefined {
  if (!["GIF87a", "GIF89a"].includes(text(view, 0, 6))) return undefined;
  let end = view.byteLength - 1;
  while (view.getUint8(end) === 0) end--;
  if (view.getUint8(end) !== 0x3b) return undefined;
  return { mime: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageFormat | undefined {
  if (text(view, 0, 4) !== "RIFF" || text(view, 8, 4) !== "WEBP") return undefined;
  if (view.getUint32(4, true) + 8 > view.byteLength) return undefined;
  const size = webpSize(view);
  return size && { mime: "image/webp", ...size };
}

function webpSize(view: DataView): Pick<ImageFormat, "width" | "height"> | undefined {
  const at = 20;
  switch (text(view, 12, 4)) {
    case "VP8 ":
      return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
    case "VP8L": {
      const bits = view.getUint32(at + 1, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return {
        width: (view.getUint32(at + 4, true) & 0xff_ffff) + 1,
        height: (view.getUint32(at + 7, true) & 0xff_ffff) + 1,
      };
    default:
      return undefined;
  }
}

function text(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, n) => view.getUint8(at + n)));
}
