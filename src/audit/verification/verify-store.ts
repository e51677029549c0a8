import type { RecordedEvent } from '../../kernel/event.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import type { ChainEvidence } from './chain-evidence.js';
import { locateMismatch } from './locate-mismatch.js';
import { LogVerification, type VerifiedLog } from './log-verification.js';

const PAGE_SIZE = 500;
/** Only the first mismatches are narrowed to one event. */
const MAX_LOCATED = 100;

/** An event of the log cannot be decoded. */
export class UnreadableEvent extends Error {
  constructor(
    readonly after: Position,
    cause: unknown,
  ) {
    super(`the event after ${after === START ? 'the beginning of the log' : after} cannot be read`, { cause });
    this.name = 'UnreadableEvent';
  }
}

/**
 * Verifies all chains of a store. @param events the log as it is stored, without upcasters
 * @throws UnreadableEvent
 */
export async function verifyStore(
  events: EventStore,
  evidence: ChainEvidence,
  observe: (log: AsyncIterable<RecordedEvent>) => AsyncIterable<RecordedEvent> = (log) => log,
): Promise<VerifiedLog> {
  const verification = new LogVerification(evidence);
  for await (const event of observe(readStoredLog(events))) await verification.add(event);
  const verified = await verification.end();
  const located = [];
  for (const mismatch of verified.mismatches.slice(0, MAX_LOCATED))
    located.push(await locateMismatch(mismatch, events, evidence));
  return { ...verified, mismatches: located.sort((a, b) => (a.position < b.position ? -1 : 1)) };
}

/** Reads the log. A page that cannot be decoded is read event by event, up to the unreadable one. */
async function* readStoredLog(store: EventStore): AsyncIterable<RecordedEvent> {
  let limit = PAGE_SIZE;
  for (let after = START; ;) {
    try {
      const page = await store.readAll({ after, limit });
      yield* page.events;
      if (page.caughtUp) return;
      after = page.next;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (limit === 1) throw new UnreadableEvent(after, error);
      limit = 1;
    }
  }
}
