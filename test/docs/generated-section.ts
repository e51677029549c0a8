import { readFile, writeFile } from 'node:fs/promises';

/** Returns the lines of a Markdown table. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** Expects these lines in the section, which is between two comments with its name. With WRITE_DOCS=1, writes them. */
export async function expectSection(file: string, name: string, lines: readonly string[]): Promise<void> {
  if (process.env.WRITE_DOCS === '1') await writeSection(file, name, lines);
  expect(normalize(await readSection(file, name))).toEqual(normalize(lines));
}

async function readSection(file: string, name: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  const [begin, end] = toMarkers(name);
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end)).split('\n');
}

async function writeSection(file: string, name: string, lines: readonly string[]): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [begin, end] = toMarkers(name);
  const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))];
  await writeFile(file, `${before}${begin}\n\n${lines.join('\n')}\n\n${after}`);
}

function toMarkers(name: string): readonly [string, string] {
  return [`<!-- ${name} -->`, `<!-- /${name} -->`];
}

/** Removes the spaces that a formatter adds. */
function normalize(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ').trim()).filter(Boolean);
}
