import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";

/** What a result may be told with. */
export interface OkOptions {
  /** Text for the model, before the result. */
  readonly message?: string | undefined;
  /** Keeps the result from the model, which then gets the message, or "OK". */
  readonly hidden?: boolean | undefined;
  /** `data:` URLs of images for the model, after the result. */
  readonly images?: readonly string[] | undefined;
}

const OPTIONS: Table<OkOptions> = {
  message: is.text,
  hidden: is.flag,
  images: is.listOf(is.text),
};

/** A result with something beside it. Made by `ok()`. */
export class ToolOk<out T = unknown> {
  readonly value: T;
  readonly options: OkOptions;

  constructor(value: T, options: OkOptions) {
    this.value = value;
    this.options = options;
  }
}

/** Returned by a tool to give the model more, or less, than its result. */
export function ok<T>(value: T, options: OkOptions = {}): ToolOk<T> {
  checkOptions("ok()", options, OPTIONS);
  return new ToolOk(value, options);
}
