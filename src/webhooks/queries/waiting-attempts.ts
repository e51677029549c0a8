import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { ConsistencyContext } from '../../kernel/context.js';
import { Admission } from '../delivery/admission.js';
import { Backlogs } from '../delivery/backlogs.js';
import { type CircuitBreaker, CLOSED, findOpenUntil } from '../domain/circuit-breaker.js';
import type { PauseReason } from '../domain/pause-reasons.js';
import type { EndpointDocument, Waiting } from '../projections/endpoints.js';
import { waitingChains } from '../projections/waiting-chains.js';

export type EndpointAddress = Pick<EndpointDocument, 'id' | 'url'>;

/** Finds the automatic attempts that are due but cannot be sent yet. What it returns may be a little stale. */
@Injectable()
export class WaitingAttempts {
  private readonly waitSeconds: readonly number[];

  constructor(
    private readonly reader: ReadModelReader,
    private readonly backlogs: Backlogs,
    private readonly admission: Admission,
    private readonly clock: Clock,
    { webhooks }: Config,
  ) {
    this.waitSeconds = webhooks.breakerWaits;
  }

  async find({ id: endpointId, url }: EndpointAddress, breaker: CircuitBreaker = CLOSED): Promise<Waiting | null> {
    const oldestAt = await this.findOldest(endpointId);
    if (oldestAt === null) return null;
    const [count, reason] = await Promise.all([
      this.backlogs.countWaiting(endpointId),
      this.findReason(endpointId, url, breaker),
    ]);
    // An attempt for which a slot is being awaited is in no queue.
    return { count: Math.max(count, 1), oldest_at: oldestAt, reason };
  }

  private async findOldest(endpointId: string): Promise<string | null> {
    const where = { endpoint_id: endpointId, due_at: { to: toIso(this.clock.now()) } };
    const request = { where, orderBy: 'due_at', ascending: true, limit: 1 } as const;
    const { documents } = await this.reader.findSlice(waitingChains, request, new ConsistencyContext());
    return documents[0]?.due_at ?? null;
  }

  /** The limits of this process are known at once, those of another one when its backlog has paused. */
  private async findReason(endpointId: string, url: string, breaker: CircuitBreaker): Promise<PauseReason> {
    if (findOpenUntil(breaker, this.waitSeconds) !== null) return 'open_breaker';
    if (this.admission.isDelayedByRate(endpointId)) return 'rate';
    if (this.admission.isHostFull(url)) return 'host';
    const reason = await this.backlogs.findPauseReason(endpointId);
    return reason === null || reason === 'open_breaker' ? 'backlog' : reason;
  }
}
