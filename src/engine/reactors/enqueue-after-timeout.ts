import { addMs } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Jobs, NewJob } from '../../kernel/jobs.js';

/** A request finishes its own work. After this time a process assumes that the request has crashed. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Enqueues the job that finishes the work of the request which recorded the event. */
export async function enqueueAfterTimeout(
  jobs: Jobs,
  job: Omit<NewJob, 'due'>,
  { meta }: RecordedEvent,
  timeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<void> {
  await jobs.enqueue([{ ...job, due: addMs(meta.at, timeoutMs) }]);
}
