import { JobRunner } from '../../../src/engine/reactors/job-runner.js';
import { ReactorConsumer } from '../../../src/engine/reactors/reactor-consumer.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Job } from '../../../src/kernel/jobs.js';
import { Attempts } from '../../../src/webhooks/delivery/attempts.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { type Mutation, replaceMethod } from './mutation.js';

export const reactorMutations: readonly Mutation[] = [
  {
    name: 'a reactor drops an event when a store is unavailable',
    foundAt: 4,
    insert: () =>
      replaceMethod(ReactorConsumer, 'reactOrPark', async ({ reactor }, _, event: RecordedEvent) => {
        await reactor.react(event).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error;
        });
      }),
  },
  {
    name: 'a job is completed before its work',
    foundAt: 3,
    insert: () =>
      replaceMethod(JobRunner, 'run', async ({ tools }, run, job: Job, work: unknown, signal: AbortSignal) => {
        await tools.jobs.complete(job).catch(() => undefined);
        await run(job, work, signal);
      }),
  },
  {
    name: 'the outcome of a job is accepted without its lease',
    foundAt: 17,
    insert: () =>
      replaceMethod(MemoryJobs, 'changeIfOwned', ({ entries }, condition, job: Job, change: unknown) =>
        condition(entries.get(job.key)?.job ?? job, change),
      ),
  },
  {
    name: 'the URL and the secret of an endpoint are cached',
    foundAt: 10,
    insert: () => {
      const remembered = new Map<string, unknown>();
      return replaceMethod(Attempts, 'findReceiver', async (_, findReceiver, endpointId: string) => {
        if (!remembered.has(endpointId)) remembered.set(endpointId, await findReceiver(endpointId));
        return remembered.get(endpointId);
      });
    },
  },
];
