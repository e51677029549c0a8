import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../docs/guides');

export function readGuide(name: string): Promise<string> {
  return readFile(join(FOLDER, `${name}.md`), 'utf8');
}

/** Returns the first block of code of the guide in the language, which is the word after its fence. */
export async function readGuideCode(guide: string, language: string): Promise<string> {
  const [, code] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(await readGuide(guide))!;
  return code!;
}
