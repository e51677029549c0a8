import { derive } from '../../kernel/declarations.js';
import type { Fact, RecordedEvent } from '../../kernel/event.js';
import { changeForEach, type Projection } from '../../kernel/projection.js';
import { EMPTY_HASH_CHAIN, extendChain, hashLeaf } from '../chain/hash-chain.js';
import { hashChainIdOf } from '../domain/audit-chain.js';
import type { HashChainState } from '../domain/chain-checkpoint.js';
import { listAuditedTypes } from '../domain/resource-namings.js';
import { COLLECT_MS } from './audit-events.js';

/** A copy of the chain's head is stored at each such number of events. */
export const COPY_INTERVAL = 1_000;

export interface AuditChainDocument extends HashChainState {
  /** The chain's id; a copy also has its count. */
  readonly id: string;
  readonly chain: string;

  readonly recorded_at: string;
}

const deriveChanges = derive(() => changeForEach(listAuditedTypes(), extend));

/** The heads of the hash chains: one chain for each business, and one for the events that belong to none. */
export const auditChains: Projection<AuditChainDocument, Fact> = {
  name: 'auditChains',
  version: 1,
  id: ({ meta }) => hashChainIdOf(meta.business),
  indexes: [['chain', 'count'], ['chain', 'recorded_at'], ['recorded_at']],
  stopOnPoison: true,
  collectMs: COLLECT_MS,
  copyId: ({ chain, count }) => (count % COPY_INTERVAL === 0 ? copyIdOf(chain, count) : null),
  get on() {
    return deriveChanges();
  },
};

export function copyIdOf(chain: string, count: number): string {
  return `${chain}:${count}`;
}

function extend(found: AuditChainDocument | null, event: RecordedEvent): AuditChainDocument {
  const { count, head } = extendChain(found ?? EMPTY_HASH_CHAIN, hashLeaf(event));
  const id = hashChainIdOf(event.meta.business);
  return { id, chain: id, count, head, position: event.position, recorded_at: event.meta.at };
}
