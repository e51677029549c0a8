import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createTempFolder } from '../../support/service.js';
import type { World } from '../world/world.js';
import { compareCopy } from './compare-copy.js';
import { COPY_PROGRAMS, runCopyProgram } from './copy-programs.js';
import { readStream, receiveBackfill } from './copy-sources.js';
import { readPublicResources } from './public-lists.js';

const programs = COPY_PROGRAMS.filter(({ program }) => spawnSync(program, ['--version']).status === 0);

/** Lets the consumers of the guide make copies from each source, and compares each copy with what the API answers. */
export async function compareCopies(world: World, eventCount: number): Promise<string[]> {
  const folder = await createTempFolder();
  const answered = await readPublicResources(world.api);
  const sources = {
    webhooks: world.receiver.bodies,
    stream: await readStream(world, eventCount),
    backfill: await receiveBackfill(world),
  };
  const differences: string[] = [];
  try {
    for (const [source, events] of Object.entries(sources))
      for (const program of programs) {
        const found = await compareCopy(await runCopyProgram(program, events, folder), answered);
        differences.push(...found.map((one) => `from ${source}, in ${program.language}: ${one}`));
      }
    return differences;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
