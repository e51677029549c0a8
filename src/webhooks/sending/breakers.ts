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
/** After this time the probe has ended or is lost. */
const PROBE_MS = 20_000;
const SHORTEST_WAIT_MS = 100;

const NONE: ReadonlyMap<string, EndpointActivityDocument> = new Map();

const ENDS: ReadonlySet<string> = new Set<EndOfAttempt['type']>(['AttemptSucceeded', 'AttemptFailed', 'AttemptLost']);

interface Known {
  breaker: Breaker;
  /** The position of the latest attempt end that this process recorded. */
  position: Position;
  lookedAt: number;
  /** The start of the probe, the one attempt that is allowed while the breaker is open; null without a probe. */
  probedAt: number | null;
}

/**
 * Delays the first attempts to endpoints that keep failing. An attempt of this process counts at once. Attempts of
 * other processes, and earlier ones, are read from the projection in the background; no caller waits for them.
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

  /**
   * Returns how long a first attempt has to wait; 0 when it may start. When the wait is over, one attempt may start as
   * a probe, and the others wait for its result.
   */
  waitMs(endpointId: string): number {
    const known = this.current(endpointId);
    const until = heldUntil(known.breaker, this.waits);
    if (until === null) return 0;
    const now = this.clock.now();
    if (now < until) return Math.max(until - now, SHORTEST_WAIT_MS);
    return this.isProbed(known) ? this.firstWaitMs() : this.probe(known);
  }

  /** Returns true while the endpoint keeps failing, also when a probe is due. */
  isTripped(endpointId: string): boolean {
    return heldUntil(this.current(endpointId).breaker, this.waits) !== null;
  }

  /** Counts the end of an attempt of this process. */
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

  /** Reads the projection; ignores the result when it does not include the latest attempt of this process. */
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

/** Returns true for the end of an attempt that counts: a test does not. */
function isTellingEnd({ type, data }: Recorded): boolean {
  return ENDS.has(type) && !(data as EndOfAttempt['data']).test;
}
