import ts from 'typescript';

/**
 * Returns the places in a file where an error is dropped and no comment says why: a `catch` that neither reads the error
 * nor returns or throws something for it, and a `.catch` whose handler does not take it. The comment stands above the
 * statement.
 */
export function findDroppedErrors(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (dropsError(node) && !isExplained(node, text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} drops an error without a comment`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function dropsError(node: ts.Node): boolean {
  if (ts.isCatchClause(node)) return node.variableDeclaration === undefined && !endsWithValue(node.block);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const [handler] = node.arguments;
  return (
    node.expression.name.text === 'catch' &&
    handler !== undefined &&
    ts.isArrowFunction(handler) &&
    handler.parameters.length === 0
  );
}

function endsWithValue(block: ts.Block): boolean {
  const last = block.statements.at(-1);
  return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last));
}

/** Returns whether a comment stands above the statement, or above or in the catch clause. */
function isExplained(node: ts.Node, text: string): boolean {
  const statement = ts.findAncestor(node, (each) => ts.isStatement(each) && !ts.isBlock(each)) ?? node;
  const isCommented = (each: ts.Node) => (ts.getLeadingCommentRanges(text, each.getFullStart()) ?? []).length > 0;
  return isCommented(statement) || (ts.isCatchClause(node) && /\/[/*]/.test(node.getText()));
}
