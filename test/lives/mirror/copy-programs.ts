import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readGuideCode } from '../../support/guide-code.js';
import type { Resource } from './public-lists.js';

export const GUIDE = 'keep-a-copy';

/** A program with the code of the guide. It reads one event a line, and prints the copy as JSON. */
interface CopyProgram {
  readonly language: string;
  readonly program: string;
  readonly file: string;
  readonly main: string;
}

export const COPY_PROGRAMS: readonly CopyProgram[] = [
  {
    language: 'ts',
    program: process.execPath,
    file: 'copy.ts',
    main: `import { readFileSync } from 'node:fs';
const copy = new Copy();
for (const line of readFileSync(0, 'utf8').split('\\n').filter(Boolean)) copy.take(JSON.parse(line));
console.log(JSON.stringify(copy.list()));
`,
  },
  {
    language: 'python',
    program: 'python3',
    file: 'copy_in_step.py',
    main: `import json, sys
copy = Copy()
for line in sys.stdin:
    copy.take(json.loads(line))
print(json.dumps(copy.list()))
`,
  },
];

/** Runs the program with these events, each as the text of a JSON object, and returns the copy. */
export async function runCopyProgram(
  { language, program, file, main }: CopyProgram,
  events: readonly string[],
  folder: string,
): Promise<readonly Resource[]> {
  await writeFile(join(folder, file), `${await readGuideCode(GUIDE, language)}\n${main}`);
  const child = spawn(program, [file], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(events.map((event) => `${event}\n`).join(''));
  return JSON.parse(await text(child.stdout)) as readonly Resource[];
}
