import type { KeyObject } from 'node:crypto';
import { NO_BUILDS, readEntries } from '../../engine/builds/catalogue.js';
import type { BuildCatalogue } from '../../kernel/build-catalogue.js';
import type { Checkpoints } from '../../kernel/checkpoints.js';
import { streamOf } from '../../kernel/decider.js';
import { MODES, type RecordedOf } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import { buildOf, collectionOf } from '../../kernel/projection.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { isSignedBy, parsePublicKey } from '../chain/checkpoint-signature.js';
import { auditChainDecider, type AuditChainEvent } from '../domain/audit-chain.js';
import type { HashChainState } from '../domain/chain-checkpoint.js';
import { type AuditChainDocument, auditChains, copyIdOf } from '../projections/audit-chains.js';
import { type AuditEventDocument, auditEvents } from '../projections/audit-events.js';

const PAGE_SIZE = 500;

/** A head that a chain must have at its count. */
export interface ExpectedState extends HashChainState {
  readonly source: 'a signed checkpoint' | 'a stored head';
  /** False: the signature of the checkpoint is invalid. */
  readonly isValid: boolean;
}

/** The builds from which stored heads and leaves are read; null for a projection without an active build. */
export interface EvidenceBuilds {
  readonly chains: string | null;
  readonly events: string | null;
  /** The position that the build of the chains had reached before the verification. */
  readonly reached: Position;
}

/** The ports of a store that its verification reads. */
export interface VerifiedStore {
  readonly events: EventStore;
  readonly models: ReadModels;
  readonly checkpoints: Checkpoints;
  readonly catalogue: BuildCatalogue;
}

/** Reads what a store holds about its chains: stored heads, signed checkpoints in the log, and leaves in the index. */
export class ChainEvidence {
  constructor(
    private readonly events: EventStore,
    private readonly readModels: ReadModels,
    private readonly builds: EvidenceBuilds,
    private readonly signingKey: KeyObject,
  ) {}

  /** Opens the evidence of a store, of the builds that are active now. */
  static async open({ events, models, checkpoints, catalogue }: VerifiedStore, key: KeyObject): Promise<ChainEvidence> {
    const entries = await readEntries(catalogue);
    const [chains, indexed] = [auditChains, auditEvents].map((projection) => {
      const name = collectionOf(projection);
      const { active } = entries.get(name) ?? NO_BUILDS;
      return active === null ? null : buildOf(name, active);
    }) as [string | null, string | null];
    const reached = chains === null ? START : await checkpoints.readCheckpoint(chains);
    return new ChainEvidence(events, models, { chains, events: indexed, reached }, key);
  }

  get reached(): Position {
    return this.builds.chains === null ? START : this.builds.reached;
  }

  /** Returns the nth checkpoint of a chain, from 0. */
  async findChainCheckpoint(chain: string, nth: number): Promise<ExpectedState | null> {
    const stream = streamOf(auditChainDecider, chain);
    for await (const event of this.events.readStream(stream, { from: nth, limit: 1 })) {
      const { data } = event as RecordedOf<AuditChainEvent>;
      const { count, head, position } = data;
      return { count, head, position, source: 'a signed checkpoint', isValid: this.isValid(data) };
    }
    return null;
  }

  /** Returns the head of the chain that the projection has stored. */
  findHead(chain: string): Promise<ExpectedState | null> {
    return this.findStored(chain);
  }

  findCopy(chain: string, count: number): Promise<ExpectedState | null> {
    return this.findStored(copyIdOf(chain, count));
  }

  async *listHeads(): AsyncIterable<AuditChainDocument> {
    const { chains } = this.builds;
    for (let after: string | null = null, more = chains !== null; more;) {
      const rows = await this.readModels.scan(chains!, after, PAGE_SIZE);
      for (const { document } of rows) {
        const found = document as AuditChainDocument | null;
        if (found !== null && found.id === found.chain) yield found;
      }
      after = rows.at(-1)?.id ?? null;
      more = rows.length === PAGE_SIZE;
    }
  }

  /** Lists the entries of a business in a range of the log, in log order; both ends are inclusive. */
  async listEntries(business: string, from: Position, to: Position): Promise<readonly AuditEventDocument[] | null> {
    if (this.builds.events === null) return null;
    const entries: AuditEventDocument[] = [];
    for (const mode of MODES) {
      const where = { _business: business, _mode: mode, position: { from, to } };
      const query = { where, orderBy: 'position', ascending: true, limit: PAGE_SIZE };
      let page: AuditEventDocument[] = [];
      do {
        const last = page.at(-1);
        const after = last && { value: last.position, id: last.id };
        page = await this.readModels.find<AuditEventDocument>(this.builds.events, {
          ...query,
          ...(after && { after }),
        });
        entries.push(...page);
      } while (page.length === PAGE_SIZE);
    }
    return entries.sort((a, b) => (a.position < b.position ? -1 : 1));
  }

  private isValid(data: AuditChainEvent['data']): boolean {
    const { business, count, position, head, signature, publicKey } = data;
    try {
      const signed = { count, position, head, signature };
      return isSignedBy(parsePublicKey(publicKey), business, signed) && isSignedBy(this.signingKey, business, signed);
    } catch {
      return false;
    }
  }

  private async findStored(id: string): Promise<ExpectedState | null> {
    if (this.builds.chains === null) return null;
    const [row] = await this.readModels.load(this.builds.chains, [id]);
    if (!row?.document) return null;
    const { count, head, position } = row.document as AuditChainDocument;
    return { count, head, position, source: 'a stored head', isValid: true };
  }
}
