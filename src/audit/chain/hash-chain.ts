import { hash } from 'node:crypto';
import type { RecordedEvent } from '../../kernel/event.js';
import { toStoredForm } from '../../kernel/upcasting.js';
import type { ChainHead } from '../domain/chain-checkpoint.js';
import { encodeCanonically } from './canonical-json.js';

const HASH_BYTES = 32;

export const EMPTY_HASH_CHAIN: ChainHead = { count: 0, head: '0'.repeat(2 * HASH_BYTES) };

/** An event as stored, without what depends on the store. */
export type StoredEvent = Omit<RecordedEvent, 'position'>;

/** The chain and the audit index use the same leaf of an event, so it is computed once. */
const leaves = new WeakMap<RecordedEvent, string>();

/**
 * Returns the hash of an event as it is stored, in hex. An upcaster, the erasure of a person and a move to another
 * store do not change it.
 */
export function hashLeaf(event: RecordedEvent): string {
  const stored = toStoredForm(event);
  const known = leaves.get(stored);
  if (known !== undefined) return known;
  const leaf = hash('sha256', encodeCanonically(toStoredEvent(stored)));
  leaves.set(stored, leaf);
  return leaf;
}

/** Returns the chain after one more event. */
export function extendChain({ count, head }: ChainHead, leaf: string): ChainHead {
  return { count: count + 1, head: hash('sha256', Buffer.from(head + leaf, 'hex')) };
}

export function toStoredEvent({ id, type, stream, revision, data, meta }: StoredEvent): StoredEvent {
  return { id, type, stream, revision, data, meta };
}
