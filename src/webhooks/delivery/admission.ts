import { Injectable } from '@nestjs/common';
import { type BacklogId, Backlogs } from './backlogs.js';
import { CircuitBreakers } from './circuit-breakers.js';
import type { SendPriority } from './endpoint-usage.js';

/** Decides which automatic attempts must queue, and which priority the others have. */
@Injectable()
export class Admission {
  constructor(
    private readonly backlogs: Backlogs,
    private readonly circuitBreakers: CircuitBreakers,
  ) {}

  /** Returns true when a new attempt has to join the backlog of its endpoint. */
  mustQueue(backlog: BacklogId): boolean {
    return this.backlogs.isActive(backlog) || this.breakerWaitMsFor(backlog) > 0;
  }

  /** Returns how long the circuit breaker delays a first attempt; 0 for a retry, which follows its own schedule. */
  breakerWaitMsFor({ endpointId, kind }: BacklogId): number {
    return kind === 'first' ? this.circuitBreakers.waitMsFor(endpointId) : 0;
  }

  priorityOf({ endpointId, kind }: BacklogId): SendPriority {
    return kind === 'retry' && this.circuitBreakers.isTripped(endpointId) ? 'suspect' : kind;
  }
}
