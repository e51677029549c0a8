import { Injectable } from '@nestjs/common';
import { type BacklogId, Backlogs } from './backlogs.js';
import { type BreakerPass, CircuitBreakers, FREE_PASS } from './circuit-breakers.js';
import type { SendPriority } from './endpoint-usage.js';

/** Decides which automatic attempts must queue, and which priority the others have. */
@Injectable()
export class Admission {
  constructor(
    private readonly backlogs: Backlogs,
    private readonly circuitBreakers: CircuitBreakers,
  ) {}

  /**
   * Returns true when a new attempt has to join the backlog of its endpoint. Every first attempt to an endpoint that
   * keeps failing does: only the backlog starts probes.
   */
  mustQueue(backlog: BacklogId): boolean {
    const { endpointId, kind } = backlog;
    return this.backlogs.isActive(backlog) || (kind === 'first' && this.circuitBreakers.isTripped(endpointId));
  }

  /** Asks the circuit breaker about a first attempt. A retry follows its own schedule. */
  async admit({ endpointId, kind }: BacklogId): Promise<BreakerPass> {
    return kind === 'retry' ? FREE_PASS : this.circuitBreakers.admit(endpointId);
  }

  priorityOf({ endpointId, kind }: BacklogId): SendPriority {
    if (kind === 'backfill') return 'job';
    return kind === 'retry' && this.circuitBreakers.isTripped(endpointId) ? 'suspect' : kind;
  }
}
