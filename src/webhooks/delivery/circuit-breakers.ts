import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { LruCache } from '../../engine/lru-cache.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { reportAndIgnore, reportAndReturn } from '../../kernel/background-errors.js';
import { Clock } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import { applyAttemptEnd, type CircuitBreaker, CLOSED, findOpenUntil } from '../domain/circuit-breaker.js';
import type { AttemptEndEvent } from '../domain/delivery-chain/facts.js';
import { endpointHealth, type EndpointHealthDocument } from '../projections/endpoint-health.js';
import { Backlogs } from './backlogs.js';

const MAX_CACHED_ENDPOINTS = 10_000;
const REFRESH_INTERVAL_MS = 2_000;
/** After this time the probe has ended or is lost. */
const PROBE_TIMEOUT_MS = 20_000;
const MIN_WAIT_MS = 100;
/** Longer than any usual lag of the projection. A backlog also checks the breaker by itself after 30 s. */
const RESUME_TIMEOUT_MS = 30_000;

const WORK = { kind: 'delivery', name: 'circuit breakers' } as const;
const NO_DOCUMENTS: ReadonlyMap<string, EndpointHealthDocument> = new Map();

const END_TYPES: ReadonlySet<string> = new Set<AttemptEndEvent['type']>([
  'AttemptSucceeded',
  'AttemptFailed',
  'AttemptLost',
]);

interface BreakerEntry {
  breaker: CircuitBreaker;
  /** The position of the latest attempt end that this process recorded. */
  position: Position;
  refreshedAt: number;
  /** The start of the probe, the one attempt that is allowed while the breaker is open; null without a probe. */
  probeStartedAt: number | null;
}

/** The wait of a first attempt; 0 when it may start. An attempt that may start calls `end` when it has ended. */
export interface BreakerPass {
  readonly waitMs: number;
  readonly end: () => void;
}

/** For an attempt that no circuit breaker delays. */
export const FREE_PASS: BreakerPass = { waitMs: 0, end: () => undefined };

/**
 * Delays the first attempts to endpoints that keep failing. An attempt of this process counts at once. Attempts of
 * other processes, and earlier ones, are read from the projection in the background; no caller waits for them.
 */
@Injectable()
export class CircuitBreakers {
  private readonly entries = new LruCache<string, BreakerEntry>(MAX_CACHED_ENDPOINTS);
  private readonly waitSeconds: readonly number[];

  constructor(
    { webhooks }: Config,
    private readonly reader: ReadModelReader,
    private readonly backlogs: Backlogs,
    private readonly clock: Clock,
  ) {
    this.waitSeconds = webhooks.breakerWaits;
  }

  /**
   * Decides on one first attempt. When the wait is over, one may start as a probe, and the others wait for its result.
   * An open breaker is read again first, since another process, a new URL or an enabling may have closed it.
   */
  async admit(endpointId: string): Promise<BreakerPass> {
    if (!this.isTripped(endpointId)) return FREE_PASS;
    const entry = this.getOrCreate(endpointId);
    await this.refresh(endpointId, entry);
    const until = findOpenUntil(entry.breaker, this.waitSeconds);
    if (until === null) return FREE_PASS;
    const now = this.clock.now();
    if (now < until) return { ...FREE_PASS, waitMs: Math.max(until - now, MIN_WAIT_MS) };
    return this.isHalfOpen(entry) ? { ...FREE_PASS, waitMs: this.computeFirstWaitMs() } : this.startProbe(entry);
  }

  /** Returns true while the endpoint keeps failing, also when a probe is due. */
  isTripped(endpointId: string): boolean {
    return findOpenUntil(this.getRefreshed(endpointId).breaker, this.waitSeconds) !== null;
  }

  /**
   * Counts the end of an attempt of this process. An attempt that the receiver answered closes the breaker, also one
   * that another process has opened since the last read.
   */
  record(endpointId: string, recorded: readonly RecordedEvent[]): void {
    const entry = this.getOrCreate(endpointId);
    for (const event of recorded.filter(isCountedEnd)) {
      const before = entry.breaker;
      entry.breaker = applyAttemptEnd(before, event);
      entry.position = event.position;
      if (entry.breaker.trips !== before.trips) entry.probeStartedAt = null;
      if (entry.breaker === CLOSED && (before.tripped_at !== null || this.isStale(entry)))
        this.resume(endpointId, entry);
    }
  }

  /** Lets the waiting attempts go on once every process can read that the breaker is closed. */
  private resume(endpointId: string, entry: BreakerEntry): void {
    entry.refreshedAt = this.clock.monotonic();
    void this.reader
      .waitUntil(endpointHealth, entry.position, RESUME_TIMEOUT_MS)
      .then(() => this.backlogs.wake(endpointId))
      .catch(reportAndIgnore(WORK));
  }

  private getRefreshed(endpointId: string): BreakerEntry {
    const entry = this.getOrCreate(endpointId);
    if (this.isStale(entry)) void this.refresh(endpointId, entry);
    return entry;
  }

  private isStale({ refreshedAt }: BreakerEntry): boolean {
    return this.clock.monotonic() - refreshedAt >= REFRESH_INTERVAL_MS;
  }

  private isHalfOpen({ probeStartedAt }: BreakerEntry): boolean {
    return probeStartedAt !== null && this.clock.monotonic() - probeStartedAt < PROBE_TIMEOUT_MS;
  }

  /** A probe that got no slot or sent nothing ends too, so that the next attempt can be one. */
  private startProbe(entry: BreakerEntry): BreakerPass {
    const startedAt = this.clock.monotonic();
    entry.probeStartedAt = startedAt;
    const end = () => {
      if (entry.probeStartedAt === startedAt) entry.probeStartedAt = null;
    };
    return { waitMs: 0, end };
  }

  private computeFirstWaitMs(): number {
    return Math.max((this.waitSeconds[0] ?? 0) * 1_000, MIN_WAIT_MS);
  }

  private getOrCreate(endpointId: string): BreakerEntry {
    const entry = this.entries.get(endpointId) ?? {
      breaker: CLOSED,
      position: START,
      refreshedAt: -Infinity,
      probeStartedAt: null,
    };
    this.entries.set(endpointId, entry);
    return entry;
  }

  /**
   * Reads the projection; ignores the result when it does not include the latest attempt of this process. When that
   * attempt closed a breaker which the result shows open, the waiting attempts go on.
   */
  private async refresh(endpointId: string, entry: BreakerEntry): Promise<void> {
    entry.refreshedAt = this.clock.monotonic();
    const { position } = entry;
    if (!(await this.reader.waitUntil(endpointHealth, position, 0).catch(reportAndReturn(WORK, false)))) return;
    const health = (
      await this.reader.getExisting(endpointHealth, [endpointId]).catch(reportAndReturn(WORK, NO_DOCUMENTS))
    ).get(endpointId);
    if (health === undefined) return;
    const { failures_in_row, trips, tripped_at } = health;
    if (entry.position === position) entry.breaker = { failures_in_row, trips, tripped_at };
    else if (entry.breaker === CLOSED && tripped_at !== null) this.resume(endpointId, entry);
  }
}

/** Returns true for the end of an attempt that counts: a test does not. */
function isCountedEnd({ type, data }: RecordedEvent): boolean {
  return END_TYPES.has(type) && !(data as AttemptEndEvent['data']).test;
}
