import { addMs } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Jobs, NewJob } from '../../kernel/jobs.js';
import type { Queue } from '../../kernel/queue.js';

/** A request finishes its own work. After this time a process assumes that the request has crashed. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Enqueues the job that finishes the work of the request which recorded the event. */
export async function enqueueAfterTimeout<D extends object>(
  jobs: Jobs,
  queue: Queue<D>,
  job: Pick<NewJob<D>, 'key' | 'data'>,
  { meta }: RecordedEvent,
  timeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<void> {
  await jobs.enqueue([queue.createJob({ ...job, due: addMs(meta.at, timeoutMs) })]);
}
