import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { JobHandler, Reactor, Reschedule } from '../../engine/registry.js';
import type { BusinessEvent } from '../../identity/domain/business.js';
import { createSystemContext } from '../../identity/system-context.js';
import { addMs, Clock, MAX_CLOCK_SKEW_MS, toIso } from '../../kernel/clock.js';
import { ConsistencyContext, type Context } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { EventStore } from '../../kernel/event-store.js';
import { uuidV5 } from '../../kernel/ids.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { ChainSigner } from '../chain-signer.js';
import { businessOfChain } from '../domain/audit-chain.js';
import { type AuditChainDocument, auditChains } from '../projections/audit-chains.js';

const INTERVAL_MS = 3_600_000;
const PAGE_SIZE = 100;
const JOB_KEY = 'audit-checkpoints';
const JOB_NAMESPACE = 'b1d0d6a6-52a5-5d43-8f2c-7f0c3f2c9b11';

interface SignJob {
  /** The time of the run before; absent in a job of an earlier release. */
  readonly since?: string;
}

/** Signs the heads of all chains with new events, once an hour. One job does it, and no process ever completes it. */
@Injectable()
export class SignCheckpoints implements Reactor<BusinessEvent>, JobHandler<SignJob> {
  readonly name = 'sign-checkpoints';
  readonly types = typesOf<BusinessEvent>({ BusinessCreated: true });
  readonly queue = declareQueue<SignJob>({ name: 'audit-checkpoints' });
  readonly needs = [auditChains];
  readonly concurrency = 1;
  readonly maxDelayMs = INTERVAL_MS;

  constructor(
    private readonly reader: ReadModelReader,
    private readonly store: EventStore,
    private readonly signer: ChainSigner,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async react({ meta }: RecordedOf<BusinessEvent>): Promise<void> {
    const job = { key: JOB_KEY, due: addMs(meta.at, INTERVAL_MS), data: { since: meta.at } };
    await this.jobs.enqueue([this.queue.createJob(job)]);
  }

  /**
   * Signs the chains that have changed since the run before, however late this run is. A repeated run signs nothing
   * twice.
   */
  async run({ due, data }: Job<SignJob>): Promise<Reschedule<SignJob>> {
    const startedAt = this.clock.now();
    await this.reader.requirePosition(auditChains, await this.store.readHead());
    const changed = {
      where: { recorded_at: { from: addMs(findStart(data, due), -MAX_CLOCK_SKEW_MS) } },
      orderBy: 'recorded_at',
      ascending: true,
      limit: PAGE_SIZE,
    } as const;
    for await (const slice of readSlices(this.reader, auditChains, changed, new ConsistencyContext()))
      for (const document of slice) await this.sign(document, due);
    return {
      at: toIso(Math.max(this.clock.now(), Date.parse(due)) + INTERVAL_MS),
      reason: 'the next hour',
      data: { since: toIso(startedAt) },
    };
  }

  private async sign(document: AuditChainDocument, due: string): Promise<void> {
    if (document.id !== document.chain) return;
    const business = businessOfChain(document.chain);
    await this.signer.sign(business, document, this.createContext(document.chain, due, business));
  }

  private createContext(chain: string, due: string, business: string | null): Context {
    const commandId = uuidV5(JOB_NAMESPACE, chain, due);
    return { ...createSystemContext(Date.parse(due), commandId, { type: 'system', id: this.name }), business };
  }
}

/** A time after `due` is of a clock that was ahead. */
function findStart({ since }: SignJob, due: string): string {
  return since !== undefined && since <= due ? since : addMs(due, -INTERVAL_MS);
}
