import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";

/** Options of `ok()`. */
export interface OkOptions {
  /** Text for the model, placed before the result. */
  readonly message?: string | undefined;
  /** Hides the result from the model. The model receives the message instead, or "OK" if there is no message. */
  readonly hidden?: boolean | undefined;
  /** `data:` URLs of images for the model, placed after the result. */
  readonly images?: readonly string[] | undefined;
}

const OPTIONS: Table<OkOptions> = {
  message: is.text,
  hidden: is.flag,
  images: is.listOf(is.text),
};

/** A result with additional options. Created by `ok()`. */
export class ToolOk<out T = unknown> {
  readonly value: T;
  readonly options: OkOptions;

  constructor(value: T, options: OkOptions) {
    this.value = value;
    this.options = options;
  }
}

/** Wraps the result of a tool to add text or images for the model, or to hide the result from the model. */
export function ok<T>(value: T, options: OkOptions = {}): ToolOk<T> {
  checkOptions("ok()", options, OPTIONS);
  return new ToolOk(value, options);
}
