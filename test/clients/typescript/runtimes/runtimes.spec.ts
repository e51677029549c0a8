import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../support/free-port.js';
import { createTempFolder, type Service, startService } from '../../../support/service.js';
import { createProject, packClient } from '../pack-client.ts';
import { RUNTIMES, type Target, writePrograms } from './runtimes.ts';

const TIMEOUT_MS = 240_000;

describe('The client', () => {
  let service: Service;
  let folder: string;
  let project: string;
  let closedUrl: string;
  beforeAll(async () => {
    service = await startService();
    folder = await createTempFolder();
    project = join(folder, 'project');
    await createProject(project, await packClient(folder));
    await writePrograms(project);
    closedUrl = `http://127.0.0.1:${await findFreePort()}`;
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const createTarget = async (): Promise<Target> => {
    const apiKey = await service.createKey(await service.createBusiness());
    return { url: service.url, apiKey, closedUrl };
  };

  for (const { name, missing, fault, run } of RUNTIMES) {
    const title = `calls, verifies and streams in ${name}`;
    if (missing !== null) it.skip(`${title} (skipped: ${missing})`, () => undefined);
    else
      it(
        title,
        async () =>
          expect(await run(project, await createTarget())).toEqual({
            call: true,
            problem: true,
            fault,
            verify: true,
            stream: true,
          }),
        TIMEOUT_MS,
      );
  }
});
