import type { Travel } from "./directions.ts";
import { compare, DIRECTIONS, isBuiltIn } from "./methods.ts";
import { openUnion, NAMED_UNKNOWNS, UNKNOWN } from "./open-unions.ts";
import { mapRefs, type Declaration, type Surface, type TypeNode } from "./type-node.ts";
import { printDoc, printType } from "./type-print.ts";

/** Unions of whole messages. They are left out because the maps of methods contain the same information and more. */
const REPLACED = new Set<string>([...Object.values(DIRECTIONS), "ServerNotificationEnvelope"]);

/** Prints every type of the experimental surface and tags those that the stable surface lacks. */
export function emitTypes(
  stable: Surface,
  surface: Surface,
  names: ReadonlyMap<string, string>,
  travel: Travel,
): string {
  const declarations = new Map<string, string>();
  for (const declaration of surface.values()) {
    const name = names.get(declaration.key)!;
    if (REPLACED.has(declaration.key) || (declarations.has(name) && !declaration.key.startsWith("v2/")))
      continue;
    const opened = openUnion(declaration.key, surface, travel);
    const type = markFields(opened?.type ?? declaration.type, stable.get(declaration.key));
    const isNew = !stable.has(declaration.key);
    declarations.set(name, printDeclaration(name, markDoc(declaration.doc, isNew), rename(type, names)));
    const unknownName = NAMED_UNKNOWNS[declaration.key];
    if (opened?.unknown && unknownName !== undefined) {
      const doc = `A {@link ${name}} with a type that this version does not know. Its other fields are present but untyped.`;
      declarations.set(unknownName, printDeclaration(unknownName, doc, rename(opened.unknown, names)));
    }
  }
  const sorted = [...declarations].toSorted(([a], [b]) => compare(a, b));
  return `import type { ${UNKNOWN} } from "./open.ts";\n\n${sorted.map(([, text]) => text).join("\n")}`;
}

function printDeclaration(name: string, doc: string | undefined, type: TypeNode): string {
  const text = printType(type);
  return `${printDoc(doc)}export type ${name} =${text.startsWith("\n") ? "" : " "}${text};\n`;
}

function rename(type: TypeNode, names: ReadonlyMap<string, string>): TypeNode {
  return mapRefs(type, (name) => {
    const known = names.get(name) ?? (isBuiltIn(name) || isOurs(name) ? name : undefined);
    if (known === undefined) throw new Error(`Reference to undeclared type ${name}`);
    return known;
  });
}

function isOurs(name: string): boolean {
  return name === UNKNOWN || Object.values(NAMED_UNKNOWNS).includes(name);
}

/** Tags fields of a plain object type if the stable surface does not have them. */
function markFields(type: TypeNode, stable: Declaration | undefined): TypeNode {
  if (type.kind !== "object" || stable?.type.kind !== "object") return type;
  const known = new Set(stable.type.fields.map((field) => field.name));
  return {
    ...type,
    fields: type.fields.map((field) =>
      known.has(field.name) ? field : { ...field, doc: markDoc(field.doc, true)! },
    ),
  };
}

function markDoc(doc: string | undefined, experimental: boolean): string | undefined {
  if (!experimental) return doc;
  return doc === undefined ? "@experimental" : `${doc}\n\n@experimental`;
}
