import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Builds } from '../engine/builds/builds.js';
import { Streams } from '../engine/streams/streams.js';
import { Checkpoints } from '../kernel/checkpoints.js';
import type { Context } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import { pickLater, type Position, START } from '../kernel/position.js';
import { ReadModels } from '../kernel/read-models.js';
import { readMeta } from '../kernel/unreadable-event.js';
import { describeSigningKey, signChainCheckpoint } from './chain/checkpoint-signature.js';
import { EMPTY_HASH_CHAIN, extendChain, hashLeaf } from './chain/hash-chain.js';
import { SigningKey } from './chain/signing-key.js';
import { auditChainDecider, hashChainIdOf } from './domain/audit-chain.js';
import type { ChainCheckpoint, HashChainState } from './domain/chain-checkpoint.js';
import { type AuditChainDocument, auditChains } from './projections/audit-chains.js';

const PAGE_SIZE = 500;

@Injectable()
export class ChainSigner {
  constructor(
    private readonly builds: Builds,
    private readonly readModels: ReadModels,
    private readonly checkpoints: Checkpoints,
    private readonly streams: Streams,
    private readonly store: EventStore,
    private readonly key: SigningKey,
  ) {}

  /**
   * Signs the head that includes every event acknowledged so far. Returns the latest checkpoint when only its own event
   * has followed it, and null for an empty chain.
   */
  async signCurrent(business: string | null, context: Context): Promise<ChainCheckpoint | null> {
    const state = await this.readCurrent(business);
    return state.count === 0 ? null : this.sign(business, state, context);
  }

  async sign(business: string | null, state: HashChainState, context: Context): Promise<ChainCheckpoint> {
    const { count, head, position } = state;
    const signed = { business, count, head, position, ...(await this.createSignature(business, state)) };
    const id = hashChainIdOf(business);
    await this.streams.execute(auditChainDecider, id, { type: 'SignChainCheckpoint', ...signed }, context);
    return toChainCheckpoint((await this.streams.loadState(auditChainDecider, id)).latest!);
  }

  /** Continues the stored head up to the end of the log, because the projection may lag. */
  private async readCurrent(business: string | null): Promise<HashChainState> {
    const { stored, reached } = await this.readStored(hashChainIdOf(business));
    let state: HashChainState = stored ?? { ...EMPTY_HASH_CHAIN, position: START };
    for (let after = pickLater(reached, state.position); ;) {
      const page = await this.store.readAll({ after, limit: PAGE_SIZE });
      for (const event of page.events)
        if (readMeta(event)?.business === business)
          state = { ...extendChain(state, hashLeaf(event)), position: event.position };
      if (page.caughtUp) return state;
      after = page.next;
      // Other work on the thread runs between the pages.
      await nextTurn();
    }
  }

  /** The position is read first, so that the head includes all events up to it. */
  private readStored(id: string): Promise<{ readonly stored: AuditChainDocument | null; readonly reached: Position }> {
    return this.builds.read(auditChains, async (build) => {
      const reached = await this.checkpoints.readCheckpoint(build);
      const [row] = await this.readModels.load(build, [id]);
      return { stored: (row?.document ?? null) as AuditChainDocument | null, reached };
    });
  }

  private async createSignature(business: string | null, state: HashChainState) {
    const privateKey = await this.key.load();
    const { key_id: keyId, public_key: publicKey } = describeSigningKey(privateKey);
    return { keyId, publicKey, signature: signChainCheckpoint(business, state, privateKey) };
  }
}

function toChainCheckpoint({
  count,
  position,
  head,
  at,
  keyId,
  signature,
}: HashChainState & { readonly at: string; readonly keyId: string; readonly signature: string }): ChainCheckpoint {
  return { count, position, head, signed_at: at, key_id: keyId, signature };
}
