import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { type OpenApiDocument, reduceDocument } from './document.ts';
import { writeEvents } from './events.ts';
import { readOperations } from './operations.ts';
import { writeResources } from './resources.ts';

/** The generated sources by file name. The same document always gives the same sources. */
export type Sources = Readonly<Record<string, string>>;

export async function generateSources(document: OpenApiDocument): Promise<Sources> {
  return {
    'types.gen.ts': await generateTypes(document),
    'resources.gen.ts': writeResources(readOperations(document)),
    'events.gen.ts': writeEvents(document),
  };
}

export async function writeSources(folder: string, sources: Sources): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
}

async function generateTypes(document: OpenApiDocument): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    await createClient({
      input: reduceDocument(document) as never,
      output: { path: folder, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    return await readFile(join(folder, 'types.gen.ts'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
