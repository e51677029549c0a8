import type { RecordedEvent } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { hashLeaf } from '../chain/hash-chain.js';
import { businessOfChain, hashChainIdOf } from '../domain/audit-chain.js';
import type { AuditEventDocument } from '../projections/audit-events.js';
import type { ChainEvidence } from './chain-evidence.js';
import type { ChainMismatch } from './log-verification.js';

const PAGE_SIZE = 500;

/**
 * Narrows a mismatch to the first event that does not fit its entry in the index. The mismatch stays as it is when the
 * index fits the log, or does not exist.
 */
export async function locateMismatch(
  mismatch: ChainMismatch,
  events: EventStore,
  evidence: ChainEvidence,
): Promise<ChainMismatch> {
  const business = businessOfChain(mismatch.chain);
  if (business === null) return mismatch;
  const entries = await evidence.listEntries(business, mismatch.after, mismatch.position);
  if (entries === null) return mismatch;
  const expected = entries.filter(({ position }) => position > mismatch.after);
  let i = 0;
  for await (const event of readEvents(mismatch, events)) {
    const entry = expected[i++];
    const reason = findDifference(event, entry);
    if (reason === null) continue;
    const position = entry !== undefined && entry.position < event.position ? entry.position : event.position;
    return { ...mismatch, position, reason };
  }
  const missing = expected[i];
  return missing === undefined ? mismatch : { ...mismatch, position: missing.position, reason: 'an event is missing' };
}

function findDifference(event: RecordedEvent, entry: AuditEventDocument | undefined): string | null {
  if (entry === undefined) return 'an event has no entry';
  if (entry.id !== event.id)
    return entry.position < event.position ? 'an event is missing' : 'an event has been inserted or moved';
  if (entry._leaf !== hashLeaf(event)) return 'an event has changed';
  return entry.position === event.position ? null : 'an event has moved';
}

async function* readEvents({ chain, after, position }: ChainMismatch, store: EventStore): AsyncIterable<RecordedEvent> {
  for (let next = after, more = true; more;) {
    const page = await store.readAll({ after: next, limit: PAGE_SIZE });
    for (const event of page.events)
      if (event.position <= position && hashChainIdOf(event.meta.business) === chain) yield event;
    more = !page.caughtUp && page.next < position;
    next = page.next;
  }
}
