import { JobRuns } from '../../../src/engine/reacting/job-runs.js';
import { Reactions } from '../../../src/engine/reacting/reactors.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Recorded } from '../../../src/kernel/event.js';
import type { Job } from '../../../src/kernel/jobs.js';
import { Attempts } from '../../../src/webhooks/sending/attempts.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { replace, type Plant } from './plant.js';

export const reacting: readonly Plant[] = [
  {
    name: 'a reactor drops an event when a store is unavailable',
    foundAt: 2,
    plant: () =>
      replace(Reactions, 'reactOrPark', async ({ reactor }, _, event: Recorded) => {
        await reactor.react(event).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error;
        });
      }),
  },
  {
    name: 'a job is completed before its work',
    foundAt: 2,
    plant: () =>
      replace(JobRuns, 'run', async ({ tools }, run, job: Job, work: unknown, signal: AbortSignal) => {
        await tools.jobs.done(job).catch(() => undefined);
        await run(job, work, signal);
      }),
  },
  {
    name: 'the outcome of a job is accepted without its lease',
    foundAt: 30,
    plant: () =>
      replace(MemoryJobs, 'ifOurs', ({ entries }, ifOurs, job: Job, change: unknown) => ifOurs(entries.get(job.key)?.job ?? job, change)),
  },
  {
    name: 'the URL and the secret of an endpoint are cached',
    foundAt: 9,
    plant: () => {
      const remembered = new Map<string, unknown>();
      return replace(Attempts, 'receiverOf', async (_, receiverOf, endpointId: string) => {
        if (!remembered.has(endpointId)) remembered.set(endpointId, await receiverOf(endpointId));
        return remembered.get(endpointId);
      });
    },
  },
];
