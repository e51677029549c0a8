import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Recent } from '../../engine/recent.js';
import { Views } from '../../engine/reading/views.js';
import { Clock } from '../../kernel/clock.js';
import type { Recorded } from '../../kernel/event.js';
import { START, type Position } from '../../kernel/position.js';
import { breakerAfter, CLOSED, heldUntil, type Breaker } from '../domain/breaker.js';
import type { EndOfAttempt } from '../domain/chain.js';
import { endpointActivity, type EndpointActivityDocument } from '../projections/endpoint-activity.js';

const KNOWN_ENDPOINTS = 10_000;
const LOOK_EVERY_MS = 2_000;
/** The one that was let through has ended by then, or nobody will tell of it. */
const PROBE_MS = 20_000;
const SHORTEST_WAIT_MS = 100;

const NONE: ReadonlyMap<string, EndpointActivityDocument> = new Map();

const ENDS: ReadonlySet<string> = new Set<EndOfAttempt['type']>(['AttemptSucceeded', 'AttemptFailed', 'AttemptLost']);

interface Known {
  breaker: Breaker;
  /** Of the latest end that this process has seen itself. */
  position: Position;
  lookedAt: number;
  /** While one attempt is let through to see. */
  probedAt: number | null;
}

/**
 * Holds back the first attempts of endpoints that keep failing. What this process sees itself counts at once; what others see, and what
 * was seen before it began, is read from the projection, and never waited for.
 */
@Injectable()
export class Breakers {
  private readonly known = new Recent<string, Known>(KNOWN_ENDPOINTS);
  private readonly waits: readonly number[];

  constructor(
    { webhooks }: Config,
    private readonly views: Views,
    private readonly clock: Clock,
  ) {
    this.waits = webhooks.breakerWaits;
  }

  /** How long a first attempt has to wait; 0 when it may be made. Of those that wait for the same time, one is let through at its end. */
  waitMs(endpointId: string): number {
    const known = this.current(endpointId);
    const until = heldUntil(known.breaker, this.waits);
    if (until === null) return 0;
    const now = this.clock.now();
    if (now < until) return Math.max(until - now, SHORTEST_WAIT_MS);
    return this.isProbed(known) ? this.firstWaitMs() : this.probe(known);
  }

  /** The endpoint keeps failing, whether or not it is time to try it again. */
  isTripped(endpointId: string): boolean {
    return heldUntil(this.current(endpointId).breaker, this.waits) !== null;
  }

  /** The end of an attempt in this process. */
  saw(endpointId: string, recorded: readonly Recorded[]): void {
    const known = this.knownOf(endpointId);
    for (const event of recorded.filter(isTellingEnd)) {
      const before = known.breaker;
      known.breaker = breakerAfter(before, event);
      known.position = event.position;
      if (known.breaker.trips !== before.trips) known.probedAt = null;
    }
  }

  private current(endpointId: string): Known {
    const known = this.knownOf(endpointId);
    if (this.clock.monotonic() - known.lookedAt >= LOOK_EVERY_MS) void this.look(endpointId, known);
    return known;
  }

  private isProbed({ probedAt }: Known): boolean {
    return probedAt !== null && this.clock.monotonic() - probedAt < PROBE_MS;
  }

  private probe(known: Known): 0 {
    known.probedAt = this.clock.monotonic();
    return 0;
  }

  private firstWaitMs(): number {
    return Math.max((this.waits[0] ?? 0) * 1_000, SHORTEST_WAIT_MS);
  }

  private knownOf(endpointId: string): Known {
    const known = this.known.get(endpointId) ?? { breaker: CLOSED, position: START, lookedAt: -Infinity, probedAt: null };
    this.known.set(endpointId, known);
    return known;
  }

  /** What was seen here meanwhile is newer than what was read, and so is what the projection has not reached. */
  private async look(endpointId: string, known: Known): Promise<void> {
    known.lookedAt = this.clock.monotonic();
    const { position } = known;
    if (!(await this.views.settled(endpointActivity, position, 0).catch(() => false))) return;
    const activity = (await this.views.known(endpointActivity, [endpointId]).catch(() => NONE)).get(endpointId);
    if (activity === undefined || known.position !== position) return;
    const { failures_in_row, trips, tripped_at } = activity;
    known.breaker = { failures_in_row, trips, tripped_at };
  }
}

/** Tests tell nothing. */
function isTellingEnd({ type, data }: Recorded): boolean {
  return ENDS.has(type) && !(data as EndOfAttempt['data']).test;
}
