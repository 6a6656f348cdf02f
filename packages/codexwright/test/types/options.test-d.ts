import { expectTypeOf, test } from "vitest";
import * as is from "../../src/rpc/options/check.ts";
import { needed, shape, Variant, type Table } from "../../src/rpc/options/table.ts";

interface Options {
  readonly name: string;
  readonly count?: number | undefined;
  readonly word?: "a" | "b" | null | undefined;
  readonly inner?: { readonly on?: boolean | undefined } | undefined;
  readonly call?: ((text: string) => void) | "off" | undefined;
}

const TABLE: Table<Options> = {
  name: needed(is.text),
  count: is.integer(0),
  word: is.orNull(is.oneOf("a", "b")),
  inner: shape<{ readonly on?: boolean | undefined }>({ on: is.flag }),
  call: is.either(is.func, is.oneOf("off")),
};

type Target = { readonly id: string } | { readonly last: number; readonly why?: string | undefined };

test("a table has exactly the names of its type", () => {
  const { count: _, ...rest } = TABLE;
  // @ts-expect-error -- count is missing
  const missing: Table<Options> = rest;
  // @ts-expect-error -- there is no option other
  const extra: Table<Options> = { ...TABLE, other: is.text };
  expectTypeOf([missing, extra]).toBeArray();
});

test("a check accepts at least the values of the option's type", () => {
  // @ts-expect-error -- null is a value of the type
  const narrow: Table<Options> = { ...TABLE, word: is.oneOf("a", "b") };
  // @ts-expect-error -- "b" is a value of the type
  const narrower: Table<Options> = { ...TABLE, word: is.orNull(is.oneOf("a")) };
  const wider: Table<Options> = { ...TABLE, word: is.anything, count: is.either(is.integer(0), is.text) };
  expectTypeOf([narrow, narrower, wider]).toBeArray();
});

test("needed() is only for required options", () => {
  // @ts-expect-error -- name is required
  const optional: Table<Options> = { ...TABLE, name: is.text };
  // @ts-expect-error -- count is optional
  const required: Table<Options> = { ...TABLE, count: needed(is.integer(0)) };
  expectTypeOf([optional, required]).toBeArray();
});

test("a union of options has a table for each of its members", () => {
  const target = new Variant<Target>({
    id: { id: needed(is.text) },
    last: { last: needed(is.integer(1)), why: is.text },
  });
  // @ts-expect-error -- why is missing
  const missing = new Variant<Target>({ last: { last: needed(is.integer(1)) } });
  expectTypeOf([target, missing]).toBeArray();
});
