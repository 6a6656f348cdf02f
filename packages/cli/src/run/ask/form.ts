import type { JsonValue } from "codexwright/protocol";
import { fieldsOf } from "../../shared/fields.ts";
import { clean } from "../../shared/text.ts";

/** A choice that a field offers. */
export interface FormChoice {
  readonly value: string;
  readonly label: string;
}

interface FieldBase {
  readonly name: string;
  /** The field's title, followed by its description. */
  readonly label: string;
  readonly isRequired: boolean;
}

/** A field of a form from an MCP server. */
export type FormField = FieldBase &
  (
    | { readonly kind: "yesNo"; readonly initial?: boolean }
    | { readonly kind: "one"; readonly choices: readonly FormChoice[]; readonly initial?: string }
    | {
        readonly kind: "several";
        readonly choices: readonly FormChoice[];
        readonly initial?: readonly string[];
        readonly least: number;
        readonly most: number;
      }
    | {
        readonly kind: "text" | "number";
        readonly initial?: string | number;
        /** Returns what is wrong with a typed text, or `undefined` if it is valid. */
        readonly check: (text: string) => string | undefined;
      }
  );

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a form in order, or `undefined` if one is of a kind that cannot be shown. */
export function formFields(schema: unknown): readonly FormField[] | undefined {
  const { type, properties, required } = fieldsOf(schema);
  if (type !== "object") return undefined;
  const fields = Object.entries(fieldsOf(properties)).map(([name, property]) =>
    formField(name, fieldsOf(property), listOf(required).includes(name)),
  );
  return fields.some((field) => field === undefined) ? undefined : (fields as FormField[]);
}

/** Returns the defaults of a form, or `undefined` if a required field has no default. */
export function untouched(fields: readonly FormField[]): Readonly<Record<string, JsonValue>> | undefined {
  const content: Record<string, JsonValue> = {};
  for (const { name, initial, isRequired } of fields) {
    if (initial !== undefined) content[name] = initial as JsonValue;
    else if (isRequired) return undefined;
  }
  return content;
}

function formField(name: string, property: Fields, isRequired: boolean): FormField | undefined {
  const { type, title, description, default: initial } = property;
  const label = [textOf(title) ?? name, textOf(description)].filter((part) => part !== undefined).join(": ");
  const base = { name, label: clean(label), isRequired };
  const choices = choicesOf(property);
  switch (type) {
    case "boolean":
      return { ...base, kind: "yesNo", ...(typeof initial === "boolean" && { initial }) };
    case "string":
      if (choices) return { ...base, kind: "one", choices, ...(typeof initial === "string" && { initial }) };
      return {
        ...base,
        kind: "text",
        ...(typeof initial === "string" && { initial }),
        check: (text) => wrongText(text, property),
      };
    case "number":
    case "integer":
      return {
        ...base,
        kind: "number",
        ...(typeof initial === "number" && { initial }),
        check: (text) => wrongNumber(text, property),
      };
    case "array": {
      const items = choicesOf(fieldsOf(property["items"]));
      if (!items) return undefined;
      const { minItems, maxItems } = property;
      const least = Math.max(numberOf(minItems) ?? 0, isRequired ? 1 : 0);
      const known = listOf(initial).filter((each) => typeof each === "string");
      return {
        ...base,
        kind: "several",
        choices: items,
        least,
        most: numberOf(maxItems) ?? items.length,
        ...(Array.isArray(initial) && { initial: known }),
      };
    }
    default:
      return undefined;
  }
}

/** Reads the choices in any of the three forms that MCP allows. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Fields): readonly FormChoice[] | undefined {
  if (Array.isArray(values)) {
    const names = listOf(enumNames);
    return values.map((value, index) => ({
      value: String(value),
      label: clean(textOf(names[index]) ?? String(value)),
    }));
  }
  const titled = oneOf ?? anyOf;
  if (!Array.isArray(titled)) return undefined;
  return titled.map((each) => {
    const { const: value, title } = fieldsOf(each);
    return { value: String(value), label: clean(textOf(title) ?? String(value)) };
  });
}

const FORMATS: Readonly<Record<string, { readonly is: (text: string) => boolean; readonly name: string }>> = {
  email: { is: (text) => /^[^\s@]+@[^\s@]+$/.test(text), name: "an e-mail address" },
  uri: { is: (text) => URL.canParse(text), name: "a URL" },
  date: {
    is: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
    name: "a date such as 2026-01-31",
  },
  "date-time": {
    is: (text) => text.includes("T") && !Number.isNaN(Date.parse(text)),
    name: "a time such as 2026-01-31T12:00:00Z",
  },
};

function wrongText(text: string, { minLength, maxLength, format }: Fields): string | undefined {
  const least = numberOf(minLength) ?? 0;
  const most = numberOf(maxLength) ?? Number.POSITIVE_INFINITY;
  if (text.length < least) return `Enter at least ${least} characters.`;
  if (text.length > most) return `Enter at most ${most} characters.`;
  const known = FORMATS[textOf(format) ?? ""];
  return known === undefined || known.is(text) ? undefined : `Enter ${known.name}.`;
}

function wrongNumber(text: string, { type, minimum, maximum }: Fields): string | undefined {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return "Enter a number.";
  if (type === "integer" && !Number.isInteger(value)) return "Enter a whole number.";
  if (value < (numberOf(minimum) ?? value)) return `Must be ≥ ${numberOf(minimum)}.`;
  return value > (numberOf(maximum) ?? value) ? `Must be ≤ ${numberOf(maximum)}.` : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
