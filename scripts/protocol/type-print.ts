import type { Field, TypeNode } from "./type-node.ts";

const WIDTH = 100;

/** Prints a type in the repository's format; `indent` is the depth of the line it starts on. */
export function printType(type: TypeNode, indent = 0): string {
  const flat = printFlat(type);
  if (flat !== undefined && flat.length + indent * 2 <= WIDTH) return flat;
  switch (type.kind) {
    case "object":
      return printObject(type.fields, indent);
    case "union":
      return unique(type.types, indent + 2)
        .map((text) => `\n${pad(indent + 1)}| ${text}`)
        .join("");
    case "intersection":
      return type.types.map((member) => printOperand(member, indent)).join(" & ");
    case "map":
      return printMap(type, printType(type.value, indent));
    case "tuple":
      return `[${type.types.map((member) => printType(member, indent)).join(", ")}]`;
    case "ref":
      return `${type.name}<${type.args.map((argument) => printType(argument, indent)).join(", ")}>`;
    default:
      return type.text;
  }
}

/** Prints a doc comment, or an empty string. */
export function printDoc(doc: string | undefined, indent = 0): string {
  if (doc === undefined || doc === "") return "";
  const lines = doc.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${pad(indent)}/** ${lines[0]} */\n`;
  const body = lines.map((line) => `${pad(indent)} *${line === "" ? "" : ` ${line}`}\n`).join("");
  return `${pad(indent)}/**\n${body}${pad(indent)} */\n`;
}

/** A property name, quoted only if TypeScript requires it. */
export function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function printObject(fields: readonly Field[], indent: number): string {
  if (fields.length === 0) return "Record<string, never>";
  const lines = fields.map((field) => {
    const head = `${pad(indent + 1)}${printKey(field.name)}${field.optional ? "?" : ""}:`;
    const type = printType(field.type, indent + 1);
    return `${printDoc(field.doc, indent + 1)}${head}${type.startsWith("\n") ? "" : " "}${type};\n`;
  });
  return `{\n${lines.join("")}${pad(indent)}}`;
}

function printMap(type: Extract<TypeNode, { kind: "map" }>, value: string): string {
  const key = printType(type.key);
  return type.optional ? `{ [key in ${key}]?: ${value} }` : `{ [key: ${key}]: ${value} }`;
}

function printOperand(type: TypeNode, indent: number): string {
  const text = printType(type, indent);
  if (type.kind !== "union") return text;
  return text.startsWith("\n") ? `(${text}\n${pad(indent)})` : `(${text})`;
}

/** Prints on one line, or returns `undefined` if a comment needs separate lines. */
function printFlat(type: TypeNode): string | undefined {
  switch (type.kind) {
    case "literal":
      return type.text;
    case "ref": {
      if (type.args.length === 0) return type.name;
      const args = type.args.map(printFlat);
      return args.includes(undefined) ? undefined : `${type.name}<${args.join(", ")}>`;
    }
    case "map": {
      const value = printFlat(type.value);
      return value === undefined ? undefined : printMap(type, value);
    }
    case "object": {
      if (type.fields.length === 0) return "Record<string, never>";
      if (type.fields.some((field) => field.doc !== undefined)) return undefined;
      const fields = type.fields.map((field) => {
        const text = printFlat(field.type);
        return text === undefined
          ? undefined
          : `${printKey(field.name)}${field.optional ? "?" : ""}: ${text}`;
      });
      return fields.includes(undefined) ? undefined : `{ ${fields.join("; ")} }`;
    }
    default: {
      if (type.types.some((member) => member.doc !== undefined)) return undefined;
      const members = type.types.map((member) => {
        const text = printFlat(member);
        return type.kind === "intersection" && member.kind === "union" && text !== undefined
          ? `(${text})`
          : text;
      });
      if (members.includes(undefined)) return undefined;
      if (type.kind === "tuple") return `[${members.join(", ")}]`;
      return [...new Set(members)].join(type.kind === "union" ? " | " : " & ");
    }
  }
}

/** Union members without duplicates: upstream sometimes writes `string | null | null`. */
function unique(types: readonly TypeNode[], indent: number): string[] {
  const texts = types.map((member) => {
    const doc = printDoc(member.doc, indent).trim();
    return `${doc === "" ? "" : `${doc}\n${pad(indent)}`}${printType(member, indent)}`;
  });
  return [...new Set(texts)];
}

function pad(indent: number): string {
  return "  ".repeat(indent);
}
