import type { RecordedEvent } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import { EMPTY_HASH_CHAIN, extendChain, hashLeaf } from '../chain/hash-chain.js';
import { hashChainIdOf } from '../domain/audit-chain.js';
import type { ChainHead } from '../domain/chain-checkpoint.js';
import { COPY_INTERVAL } from '../projections/audit-chains.js';
import type { ChainEvidence, ExpectedState } from './chain-evidence.js';

/** A chain that does not fit: the log fits up to `after`, and no longer at `position`. */
export interface ChainMismatch {
  readonly chain: string;
  readonly after: Position;
  readonly position: Position;
  /** The number of events of the chain up to there. */
  readonly count: number;
  readonly reason: string;
}

export interface VerifiedLog {
  readonly events: number;
  readonly chains: number;
  readonly checkpoints: number;
  readonly stored_heads: number;
  readonly mismatches: readonly ChainMismatch[];
}

interface TrackedChain {
  chain: ChainHead;
  position: Position;
  /** The last position at which the chain had an expected head. */
  fits: Position;
  readonly storedHead: ExpectedState | null;
  /** The first event that the stored head does not cover. */
  uncovered: Position | null;
  checkpoint: ExpectedState | null;
  checkpoints: number;
  failed: boolean;
}

/** Computes all chains of a log again, and compares them with the stored heads and the signed checkpoints. */
export class LogVerification {
  private readonly chains = new Map<string, TrackedChain>();
  private readonly mismatches: ChainMismatch[] = [];
  private events = 0;
  private checkpoints = 0;
  private storedHeads = 0;

  constructor(private readonly evidence: ChainEvidence) {}

  /** Adds the next event of the log, as it is stored. */
  async add(event: RecordedEvent): Promise<void> {
    this.events++;
    const id = hashChainIdOf(event.meta.business);
    const tracked = this.chains.get(id) ?? (await this.track(id));
    tracked.chain = extendChain(tracked.chain, hashLeaf(event));
    tracked.position = event.position;
    const { count } = tracked.chain;
    if (count > (tracked.storedHead?.count ?? 0)) tracked.uncovered ??= event.position;
    if (count === tracked.storedHead?.count) this.compare(id, tracked, tracked.storedHead);
    if (count % COPY_INTERVAL === 0) this.compare(id, tracked, await this.evidence.findCopy(id, count));
    if (count === tracked.checkpoint?.count) await this.passChainCheckpoint(id, tracked);
  }

  /** Compares the end of the log, and returns the result. */
  async end(): Promise<VerifiedLog> {
    for (const [id, tracked] of this.chains) {
      const { checkpoint, storedHead } = tracked;
      if (checkpoint !== null) this.reportEnd(id, tracked, checkpoint);
      if (storedHead !== null && storedHead.count > tracked.chain.count) this.reportEnd(id, tracked, storedHead);
      this.reportUncovered(id, tracked);
    }
    for await (const { chain, count, head, position } of this.evidence.listHeads())
      if (!this.chains.has(chain))
        this.reportEnd(chain, createTracked(), { count, head, position, source: 'a stored head', isValid: true });
    const { events, checkpoints, storedHeads: stored_heads, mismatches } = this;
    return { events, chains: this.chains.size, checkpoints, stored_heads, mismatches };
  }

  private async track(id: string): Promise<TrackedChain> {
    const [storedHead, checkpoint] = [await this.evidence.findHead(id), await this.evidence.findChainCheckpoint(id, 0)];
    const tracked = { ...createTracked(), storedHead, checkpoint };
    this.chains.set(id, tracked);
    return tracked;
  }

  private async passChainCheckpoint(id: string, tracked: TrackedChain): Promise<void> {
    this.checkpoints++;
    this.compare(id, tracked, tracked.checkpoint);
    tracked.checkpoint = await this.evidence.findChainCheckpoint(id, ++tracked.checkpoints);
  }

  private compare(id: string, tracked: TrackedChain, expected: ExpectedState | null): void {
    if (expected === null || tracked.failed) return;
    if (expected.source === 'a stored head') this.storedHeads++;
    if (!expected.isValid) this.report(id, tracked, 'the signature of a checkpoint is invalid');
    else if (expected.head === tracked.chain.head) tracked.fits = tracked.position;
    else this.report(id, tracked, `the events do not fit ${expected.source}`);
  }

  private reportEnd(id: string, tracked: TrackedChain, { count, position, source }: ExpectedState): void {
    if (tracked.failed) return;
    const reason = `the log holds ${tracked.chain.count} events of the chain, but ${source} covers ${count}`;
    this.report(id, { ...tracked, position, chain: { ...tracked.chain, count } }, reason);
    tracked.failed = true;
  }

  private reportUncovered(id: string, tracked: TrackedChain): void {
    const { uncovered, failed } = tracked;
    if (failed || uncovered === null || uncovered > this.evidence.reached) return;
    this.report(id, { ...tracked, position: uncovered }, 'the stored head does not cover an event');
  }

  private report(chain: string, tracked: TrackedChain, reason: string): void {
    tracked.failed = true;
    const { fits: after, position } = tracked;
    this.mismatches.push({ chain, after, position, count: tracked.chain.count, reason });
  }
}

function createTracked(): TrackedChain {
  const empty = { chain: EMPTY_HASH_CHAIN, position: START, fits: START, uncovered: null };
  return { ...empty, storedHead: null, checkpoint: null, checkpoints: 0, failed: false };
}
