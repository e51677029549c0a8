import { toIso } from '../../src/kernel/clock.js';
import { newUuid } from '../../src/kernel/ids.js';
import type { Job, Jobs, NewJob } from '../../src/kernel/jobs.js';
import type { OpenStore } from './open-store.js';

export const LEASE_MS = 1_000;

/** A new queue for each test, with helpers that identify its jobs by their keys. */
export type JobQueueFixture = ReturnType<typeof createJobQueueFixture>;

export function createJobQueueFixture(opened: OpenStore<Jobs>) {
  let name: string;
  beforeEach(() => {
    name = newUuid();
  });
  const options = (limit = 10) => ({ limit, leaseMs: LEASE_MS, holder: 'one' });
  return {
    opened,
    options,
    queue: (): string => name,
    job: (key: string, dueInMs = 0, data: object = {}): NewJob => ({
      key: `${name}:${key}`,
      queue: name,
      due: toIso(opened.now() + dueInMs),
      data,
    }),
    claim: (limit = 10): Promise<Job[]> => opened.store.claim(name, options(limit)),
    keys: (jobs: readonly Job[]): string[] => jobs.map(({ key }) => key.slice(name.length + 1)),
  };
}
