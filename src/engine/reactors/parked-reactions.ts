import type { RecordedEvent } from '../../kernel/event.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import type { Job, NewJob } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { type AnyReactor, type JobHandler, ParkJob } from '../registry.js';
import { describeError } from '../retrier.js';

const CONCURRENCY = 4;

interface Reaction {
  readonly reactor: string;
  readonly stream: string;
  readonly revision: number;
  readonly event: string;
  readonly error: string;
}

export const parkedReactions = declareQueue<Reaction>({ name: 'parked-reactions' });

/**
 * Creates a job for an event that a reactor failed to process. It holds the place of the event in the log, not its
 * data.
 */
export function createParkedReaction(
  { name }: AnyReactor,
  { id, stream, revision }: RecordedEvent,
  error: string,
  due: string,
): NewJob {
  const data = { reactor: name, stream, revision, event: id, error };
  return parkedReactions.createJob({ key: `${name}:${id}`, due, data });
}

/** Holds parked events until an operator releases them: then the reactor processes the event again, out of order. */
export class ParkedReactions implements JobHandler<Reaction> {
  readonly queue = parkedReactions;
  readonly concurrency = CONCURRENCY;

  constructor(
    private readonly reactors: readonly AnyReactor[],
    private readonly store: EventStore,
  ) {}

  async run({ attempt, data: { reactor, stream, revision, error } }: Job<Reaction>): Promise<void> {
    if (attempt === 1) throw new ParkJob(error, true);
    const found = this.reactors.find(({ name }) => name === reactor);
    if (found === undefined) throw new ParkJob(`there is no reactor ${reactor} in this version of the service`);
    try {
      for await (const event of this.store.readStream(stream, { from: revision, limit: 1 })) await found.react(event);
    } catch (failure) {
      throw failure instanceof StoreUnavailable
        ? failure
        : new ParkJob(describeError(failure), false, { cause: failure });
    }
  }
}
