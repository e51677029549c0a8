import { readFileSync } from 'node:fs';

/** Returns why the file cannot be read, without its name; null when it can be read. */
export function findFileProblem(path: string): string | null {
  try {
    readFileSync(path);
    return null;
  } catch (error) {
    return `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}
