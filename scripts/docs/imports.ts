import ts from "typescript";

/** Names that a snippet uses and does not declare or import. */
export function freeNames(code: string): ReadonlySet<string> {
  const declared = new Set<string>();
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclaration(node)) declared.add(node.text);
      else if (!isKey(node)) used.add(node.text);
    }
    node.forEachChild(visit);
  };
  visit(parse(code));
  return new Set([...used].filter((name) => !declared.has(name)));
}

/**
 * Returns the imports of a module that a part of the module needs, without the names that the part does not
 * use.
 */
export function importsFor(module: string, part: string): string[] {
  const needed = freeNames(part);
  return parse(module).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || statement.importClause === undefined) return [];
    const { name, namedBindings, phaseModifier } = statement.importClause;
    const names: string[] = [];
    if (name && needed.has(name.text)) names.push(name.text);
    if (namedBindings && ts.isNamespaceImport(namedBindings) && needed.has(namedBindings.name.text))
      names.push(namedBindings.getText());
    if (namedBindings && ts.isNamedImports(namedBindings)) {
      const kept = namedBindings.elements.filter((element) => needed.has(element.name.text));
      if (kept.length > 0) names.push(`{ ${kept.map((element) => element.getText()).join(", ")} }`);
    }
    const keyword = phaseModifier === ts.SyntaxKind.TypeKeyword ? "import type" : "import";
    const text = `${keyword} ${names.join(", ")} from ${statement.moduleSpecifier.getText()};`;
    return names.length === 0 ? [] : broken(text);
  });
}

/** Breaks an import that is too long into lines, as the formatter does. */
function broken(text: string): string[] {
  if (text.length <= 110) return [text];
  const [, before = "", names = "", after = ""] = /^(.*\{) (.*) (\}.*)$/.exec(text) ?? [];
  return [before, ...names.split(", ").map((name) => `  ${name},`), after];
}

function parse(code: string): ts.SourceFile {
  return ts.createSourceFile("snippet.ts", code, ts.ScriptTarget.Latest, true);
}

function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node;
  const declares =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isFunctionExpression(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isTypeParameterDeclaration(parent) ||
    ts.isEnumDeclaration(parent) ||
    ts.isImportClause(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isNamespaceImport(parent);
  return declares && parent.name === node;
}

/** Whether a name belongs to an object or to a module (such as `b` in `a.b`), so that it need not be declared. */
function isKey(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent)) return parent.propertyName === node;
  const hasKey =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isGetAccessor(parent) ||
    ts.isSetAccessor(parent) ||
    ts.isNamedTupleMember(parent);
  return hasKey && parent.name === node;
}
