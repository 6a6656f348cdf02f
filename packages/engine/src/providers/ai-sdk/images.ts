import { imageAddressLeftOut } from "../../core/instructions/notes.ts";
import { textOf } from "../../core/text.ts";
import type { WireObject } from "../../core/wire-object.ts";
import type { AiSdkModel, FilePart, SupportedUrls, TextPart } from "./language-model.ts";

/** How a model takes images. */
export interface ImageForm {
  readonly version: AiSdkModel["specificationVersion"];
  /** The addresses that the model's server reads itself; `true` for all. */
  readonly urls: SupportedUrls | true;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64,/i;

/** Converts an `input_image` to a part of a user's message. */
export function imagePart(part: WireObject, form: ImageForm): FilePart | TextPart {
  const image = imageOf(part, form);
  if ("left" in image) return { type: "text", text: image.left };
  const { mediaType } = image;
  if (form.version === "v3") return { type: "file", mediaType, data: image.url ?? image.base64 };
  return { type: "file", mediaType, data: dataOf(image) };
}

/** Converts an `input_image` to a part of a tool's output. */
export function imageResult(part: WireObject, form: ImageForm): object {
  const image = imageOf(part, form);
  if ("left" in image) return { type: "text", text: image.left };
  const { mediaType } = image;
  if (form.version === "v4") return { type: "file", mediaType, data: dataOf(image) };
  return image.url
    ? { type: "image-url", url: image.url.href }
    : { type: "image-data", mediaType, data: image.base64 };
}

type Image =
  | { readonly mediaType: string; readonly base64: string; readonly url?: undefined }
  | { readonly mediaType: string; readonly url: URL; readonly base64?: undefined }
  | { readonly left: string };

function imageOf(part: WireObject, { urls }: ImageForm): Image {
  const address = textOf(part["image_url"]);
  const data = DATA_URL.exec(address);
  if (data) return { mediaType: (data[1] ?? "").toLowerCase(), base64: address.slice(data[0].length) };
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (url && (urls === true || reads(urls, url.href))) return { mediaType: "image/*", url };
  return { left: imageAddressLeftOut(address.slice(0, 200)) };
}

function dataOf(image: Exclude<Image, { readonly left: string }>): object {
  return image.url ? { type: "url", url: image.url } : { type: "data", data: image.base64 };
}

function reads(urls: SupportedUrls, address: string): boolean {
  return Object.entries(urls).some(
    ([type, patterns]) =>
      /^(?:\*|\*\/\*|image\/.*)$/.test(type) && patterns.some((pattern) => pattern.test(address)),
  );
}
