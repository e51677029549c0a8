import ts from 'typescript';
import { type TextFile, visitNodes } from './language.js';

/** A queue creates its jobs, stores copy them, and operators see them. */
const OWN_FILES = /^(kernel\/queue\.ts|stores\/|operations\/(migration|operators)\/)/;

/** Returns the places that create a job by hand: the type of its queue does not check such data. */
export function findUntypedJobs(sources: readonly TextFile[]): string[] {
  return sources.filter(({ path }) => !OWN_FILES.test(path)).flatMap(findInFile);
}

function findInFile({ path, text }: TextFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  visitNodes(source, (node) => {
    if (!ts.isObjectLiteralExpression(node) || !namesJob(node)) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} creates a job without its queue`);
  });
  return found;
}

function namesJob({ properties }: ts.ObjectLiteralExpression): boolean {
  const names = properties.map(({ name }) => name?.getText());
  return ['key', 'queue', 'due', 'data'].every((name) => names.includes(name));
}
