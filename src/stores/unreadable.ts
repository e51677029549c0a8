import { readFileSync } from 'node:fs';

/** Why nobody can read the file, and nothing of its name; null when all is well. */
export function unreadable(path: string): string | null {
  try {
    readFileSync(path);
    return null;
  } catch (error) {
    return `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}
