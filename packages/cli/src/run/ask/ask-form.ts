import { type CANCEL_SYMBOL, confirm, isCancel, multiselect, select, text } from "../../shared/prompts.ts";
import type { JsonValue } from "codexwright/protocol";
import type { FormChoice, FormField } from "./form.ts";

/** Asks for each field of a form. Returns `undefined` if the user cancels. */
export async function askForm(
  fields: readonly FormField[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, JsonValue>> | undefined> {
  const content: Record<string, JsonValue> = {};
  for (const field of fields) {
    const value = await askField(field, signal);
    if (isCancel(value)) return undefined;
    if (value !== undefined) content[field.name] = value;
  }
  return content;
}

/** Returns a value, `undefined` for a field that stays empty, or a marker if the user left the prompt. */
async function askField(
  field: FormField,
  signal: AbortSignal,
): Promise<JsonValue | undefined | typeof CANCEL_SYMBOL> {
  const message = field.isRequired ? field.label : `${field.label} (optional)`;
  switch (field.kind) {
    case "yesNo": {
      if (field.isRequired) return await confirm({ message, signal, initialValue: field.initial ?? true });
      const initial = field.initial === undefined ? undefined : field.initial ? "yes" : "no";
      const chosen = await one(message, YES_NO, signal, false, initial);
      return isCancel(chosen) || chosen === undefined ? chosen : chosen === "yes";
    }
    case "one":
      return await one(message, field.choices, signal, field.isRequired, field.initial);
    case "several":
      return await several(field, message, signal);
    default: {
      const typed = await text({
        message,
        signal,
        ...(field.initial !== undefined && { initialValue: String(field.initial) }),
        validate: (value = "") => (value === "" && !field.isRequired ? undefined : field.check(value)),
      });
      if (isCancel(typed)) return typed;
      if (typed === "" && !field.isRequired) return undefined;
      return field.kind === "number" ? Number(typed) : typed;
    }
  }
}

const YES_NO: readonly FormChoice[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** Choices are identified by their index, because a value can be any text. */
async function one(
  message: string,
  choices: readonly FormChoice[],
  signal: AbortSignal,
  isRequired: boolean,
  initial: string | undefined,
): Promise<string | undefined | typeof CANCEL_SYMBOL> {
  const place = choices.findIndex(({ value }) => value === initial);
  const chosen = await select({
    message,
    signal,
    options: [
      ...choices.map(({ label }, value) => ({ value, label })),
      ...(isRequired ? [] : [{ value: -1, label: "(nothing)" }]),
    ],
    ...(place >= 0 && { initialValue: place }),
  });
  return isCancel(chosen) ? chosen : choices[chosen]?.value;
}

async function several(
  { choices, initial = [], least, most, isRequired }: Extract<FormField, { kind: "several" }>,
  message: string,
  signal: AbortSignal,
): Promise<JsonValue | undefined | typeof CANCEL_SYMBOL> {
  const places = choices.flatMap(({ value }, place) => (initial.includes(value) ? [place] : []));
  for (let asked = message; ; asked = `${message} [choose ${least} to ${most}]`) {
    const chosen = await multiselect({
      message: asked,
      signal,
      required: isRequired,
      options: choices.map(({ label }, value) => ({ value, label })),
      initialValues: places,
    });
    if (isCancel(chosen)) return chosen;
    if (chosen.length === 0 && !isRequired) return undefined;
    if (chosen.length >= least && chosen.length <= most) {
      return chosen.map((place) => choices[place]?.value ?? "");
    }
  }
}
