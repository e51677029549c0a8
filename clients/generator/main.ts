// Writes the generated sources of both clients from the OpenAPI document of the built service. Node runs this folder
// without a build, so its imports name the .ts files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../test/support/service-process.ts';
import * as python from '../python/generator/generate.ts';
import * as typescript from '../typescript/generator/generate.ts';
import type { OpenApiDocument } from './document.ts';
import { writeSources } from './sources.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'client-'));
const service = await ServiceProcess.start(dataDir);
try {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
  for (const { GENERATED, generateSources } of [typescript, python])
    await writeSources(GENERATED, await generateSources(document));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
