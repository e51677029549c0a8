import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { type OpenApiDocument, reduceDocument } from '../../generator/document.ts';
import { readOperations } from '../../generator/operations.ts';
import type { Sources } from '../../generator/sources.ts';
import { writeEvents } from './events.ts';
import { writeResources } from './resources.ts';

export const GENERATED = join(import.meta.dirname, '../src/generated');

export async function generateSources(document: OpenApiDocument): Promise<Sources> {
  return {
    'types.gen.ts': await generateTypes(document),
    'resources.gen.ts': writeResources(readOperations(document)),
    'events.gen.ts': writeEvents(document),
  };
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
