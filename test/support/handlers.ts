import ts from 'typescript';

/** Returns each handler of a command or query that does not stand directly after it, or has another name. */
export function findMisplacedHandlers(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isClassDeclaration).flatMap((handler) => {
    const handled = findHandled(handler);
    if (handled === null) return [];
    const before = source.statements[source.statements.indexOf(handler) - 1];
    const isNext = before !== undefined && ts.isClassDeclaration(before) && before.name?.text === handled;
    const name = handler.name?.text;
    return isNext && name === `${handled}Handler`
      ? []
      : [`${path}: ${name} must be ${handled}Handler, after ${handled}`];
  });
}

/** Returns the name of the command or query that a class handles, by its decorator. */
function findHandled(handler: ts.ClassDeclaration): string | null {
  for (const { expression } of ts.getDecorators(handler) ?? []) {
    if (!ts.isCallExpression(expression)) continue;
    if (/^(Command|Query)Handler$/.test(expression.expression.getText())) return expression.arguments[0]!.getText();
  }
  return null;
}
