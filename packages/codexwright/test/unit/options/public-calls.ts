import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const PACKAGES = path.resolve(import.meta.dirname, "../../../..");

/** A parameter of a public call that takes an object with named properties. */
export interface ObjectParameter {
  /** Such as `Thread.run(options)`. */
  readonly id: string;
  /** The names of its type in the declaration. */
  readonly types: readonly string[];
  /** The property names that the object may have. */
  readonly names: readonly string[];
  /** The names that this library declares. The server validates the values of the other names. */
  readonly own: readonly string[];
}

/** Returns the published declarations of a package's entries, except the internal ones. */
function entriesOf(name: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(PACKAGES, name, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([key, entry]) =>
    typeof entry === "string" || key.startsWith("./internal") ? [] : [path.join(PACKAGES, name, entry.types)],
  );
}

/** Returns every parameter of public functions, constructors and methods that takes an object. */
export function objectParameters(): readonly ObjectParameter[] {
  const entries = ["codexwright", "engine", "testing", "gateway"].flatMap(entriesOf);
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    strict: true,
    skipLibCheck: true,
    types: [],
  });
  return new Reader(program).read(entries);
}

class Reader {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #found = new Map<string, ObjectParameter>();

  constructor(program: ts.Program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  read(entries: readonly string[]): readonly ObjectParameter[] {
    for (const entry of entries) {
      const file = this.#program.getSourceFile(entry);
      const module = file && this.#checker.getSymbolAtLocation(file);
      if (!module) throw new Error(`${entry} cannot be read: run the build first`);
      for (const each of this.#checker.getExportsOfModule(module)) this.#export(each);
    }
    return [...this.#found.values()];
  }

  #export(exported: ts.Symbol): void {
    const symbol =
      exported.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(exported) : exported;
    const { name } = symbol;
    if (symbol.flags & ts.SymbolFlags.Value) {
      const type = this.#checker.getTypeOfSymbol(symbol);
      for (const signature of type.getCallSignatures()) this.#signature(name, signature);
      if (symbol.flags & ts.SymbolFlags.Class) {
        for (const signature of type.getConstructSignatures()) this.#signature(`new ${name}`, signature);
        this.#members(name, type);
      }
    }
    if (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) {
      this.#members(name, this.#checker.getDeclaredTypeOfSymbol(symbol));
    }
  }

  #members(owner: string, type: ts.Type): void {
    for (const member of type.getProperties()) {
      const [declaration] = member.declarations ?? [];
      if (!declaration || !isOurs(declaration) || isHidden(declaration)) continue;
      const signatures = this.#checker
        .getNonNullableType(this.#checker.getTypeOfSymbol(member))
        .getCallSignatures();
      for (const signature of signatures) this.#signature(`${owner}.${member.name}`, signature);
    }
  }

  #signature(call: string, signature: ts.Signature): void {
    for (const parameter of signature.parameters) {
      const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(parameter));
      const objects = (type.isUnion() ? type.types : [type]).filter((each) => this.#isObject(each));
      if (objects.length === 0) continue;
      const id = `${call}(${parameter.name})`;
      const before = this.#found.get(id);
      const types = objects.map((each) => (each.aliasSymbol ?? each.getSymbol())?.name ?? "");
      const properties = objects.flatMap((each) => each.getProperties());
      const names = properties.map(({ name }) => name);
      const own = properties.filter((each) => !isWire(each)).map(({ name }) => name);
      this.#found.set(id, {
        id,
        types: [...new Set([...(before?.types ?? []), ...types])],
        names: [...new Set([...(before?.names ?? []), ...names])],
        own: [...new Set([...(before?.own ?? []), ...own])],
      });
    }
  }

  /** True unless the type is a list, a function, a class instance or a built-in type. */
  #isObject(type: ts.Type): boolean {
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
    if (type.getCallSignatures().length > 0 || this.#checker.isArrayLikeType(type)) return false;
    const symbol = type.getSymbol();
    if (symbol && symbol.flags & ts.SymbolFlags.Class) return false;
    const declarations = (type.aliasSymbol ?? symbol)?.declarations ?? [];
    return declarations.length === 0 || declarations.some((each) => isOurs(each) || isUtility(each));
  }
}

function isWire(property: ts.Symbol): boolean {
  return (property.declarations ?? []).some((each) =>
    each.getSourceFile().fileName.includes("/dist/types/protocol/"),
  );
}

function isOurs(declaration: ts.Declaration): boolean {
  return declaration.getSourceFile().fileName.startsWith(PACKAGES);
}

/** `Omit<…>` and similar types are declared by the language but describe our types. */
function isUtility(declaration: ts.Declaration): boolean {
  return ts.isTypeAliasDeclaration(declaration) || ts.isMappedTypeNode(declaration);
}

function isHidden(declaration: ts.Declaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (
    (ts.getCombinedModifierFlags(declaration) & hidden) !== 0 ||
    ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal")
  );
}
