import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** A file of src: its path below src and its imports. Imports of src are paths below src; libraries keep their name. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly string[];
}

export async function readSources(root: string): Promise<SourceFile[]> {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.map(async (file) => parseSource(file.replaceAll('\\', '/'), await readFile(join(root, file), 'utf8'))),
  );
}

export function parseSource(path: string, text: string): SourceFile {
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => resolveImport(path, fileName));
  return { path, lines: text.trimEnd().split('\n').length, imports };
}

function resolveImport(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts') : specifier;
}
