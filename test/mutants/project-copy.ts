import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutant.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = [
  'src',
  'test',
  'dist',
  'docs',
  'docker',
  'bin',
  'README.md',
  'package.json',
  'jest.config.js',
  'tsconfig.json',
];

/** A copy of the project in a temporary folder. The mutants change only the copy. */
export class ProjectCopy {
  readonly path = mkdtempSync(join(tmpdir(), 'mutants-'));

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.path, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.path, 'node_modules'));
  }

  /** Applies the mutant, runs the work and reverts the mutant. */
  applyWhile<T>({ file, from, to }: Mutant, work: () => T): T {
    const original = readFileSync(join(ROOT, 'src', file), 'utf8');
    this.write(
      file,
      original.replace(from, () => to),
    );
    try {
      return work();
    } finally {
      this.write(file, original);
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }

  /** Also writes the compiled file, because threads and child processes of the tests run the files in dist. */
  private write(file: string, text: string): void {
    writeFileSync(join(this.path, 'src', file), text);
    const compiled = join(this.path, 'dist', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(compiled), { recursive: true });
    writeFileSync(compiled, ts.transpileModule(text, { compilerOptions: this.options(), fileName: file }).outputText);
  }

  private options(): ts.CompilerOptions {
    const file = join(ROOT, 'tsconfig.json');
    const { config } = ts.readConfigFile(file, (path) => readFileSync(path, 'utf8')) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
    return {
      ...options,
      module: ts.ModuleKind.ESNext,
      moduleResolution: undefined,
      incremental: false,
      sourceMap: false,
    };
  }
}

/** Returns one sentence for each mutant whose text is not in its file exactly once. */
export function findMisplaced(mutants: readonly Mutant[]): string[] {
  return mutants.flatMap(({ name, file, from }) => {
    const times = readFileSync(join(ROOT, 'src', file), 'utf8').split(from).length - 1;
    return times === 1 ? [] : [`"${name}": src/${file} contains its text ${times} times`];
  });
}
