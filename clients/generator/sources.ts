import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The generated sources by file name. The same document always gives the same sources. */
export type Sources = Readonly<Record<string, string>>;

/** Replaces a folder by the sources. */
export async function writeSources(folder: string, sources: Sources): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
}
