// Writes src/generated from the OpenAPI document of the built service. Node runs this folder without a build, so its
// imports name the .ts files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../../test/support/service-process.ts';
import type { OpenApiDocument } from './document.ts';
import { generateSources, writeSources } from './generate.ts';

const GENERATED = join(import.meta.dirname, '../src/generated');

const dataDir = await mkdtemp(join(tmpdir(), 'client-'));
const service = await ServiceProcess.start(dataDir);
try {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
  await writeSources(GENERATED, await generateSources(document));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
