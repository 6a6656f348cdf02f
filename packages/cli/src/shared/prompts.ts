import * as clack from "@clack/prompts";
import { clean } from "./text.ts";

// The only file that prompts, because the package writes directly to the terminal. A test checks this.

export { isCancel, type CANCEL_SYMBOL } from "@clack/prompts";

interface Choice<V> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string;
}

interface Prompt {
  readonly message: string;
  readonly signal?: AbortSignal;
}

type Answer<V> = Promise<V | typeof clack.CANCEL_SYMBOL>;

export async function confirm(options: Prompt & { readonly initialValue: boolean }): Answer<boolean> {
  return await clack.confirm({ ...options, message: clean(options.message) });
}

export async function password(options: Prompt): Answer<string> {
  return (await clack.password({ ...options, message: clean(options.message) })) ?? "";
}

export async function text(
  options: Prompt & {
    readonly initialValue?: string;
    readonly validate?: (value: string | undefined) => string | undefined;
  },
): Answer<string> {
  const { initialValue, validate, ...rest } = options;
  const answer = await clack.text({
    ...rest,
    message: clean(options.message),
    // Text that cannot be shown unchanged cannot be edited either.
    ...(initialValue !== undefined && clean(initialValue) === initialValue && { initialValue }),
    ...(validate && {
      validate: (value) => {
        const problem = validate(value);
        return problem === undefined ? undefined : clean(problem);
      },
    }),
  });
  return answer ?? "";
}

export async function select<V>(
  options: Prompt & { readonly options: readonly Choice<V>[]; readonly initialValue?: V },
): Answer<V> {
  return await clack.select<V>({ ...options, ...safe(options) } as never);
}

export async function selectKey(
  options: Prompt & { readonly options: readonly Choice<string>[] },
): Answer<string> {
  return await clack.selectKey<string>({ ...options, ...safe(options) });
}

export async function multiselect<V>(
  options: Prompt & {
    readonly options: readonly Choice<V>[];
    readonly initialValues: V[];
    readonly required: boolean;
  },
): Answer<V[]> {
  return await clack.multiselect<V>({ ...options, ...safe(options) } as never);
}

function safe<V>({ message, options }: { readonly message: string; readonly options: readonly Choice<V>[] }) {
  const choices = options.map(({ label, hint, ...rest }) => ({
    ...rest,
    label: clean(label),
    ...(hint !== undefined && { hint: clean(hint) }),
  }));
  return { message: clean(message), options: choices };
}
