import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Histogram, Registry } from '@prometheus-io/client';
import { StoreMetrics } from '../../engine/store-metrics.js';
import type { NewEvent } from '../../kernel/event.js';
import type { ClaimResult } from '../../kernel/idempotency.js';
import { measureFirstAttemptLag, toAttemptOutcome } from './attempt-outcome.js';

const LATENCY_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800];
/** The event loop wakes up for each sample, which is most of what an idle process does. */
const LOOP_SAMPLE_MS = 100;
const LOOP_WINDOW_MS = 1_000;

/** Counters and histograms of this process. Label values come from small closed sets: never an id, never a URL. */
@Injectable()
export class Metrics extends StoreMetrics {
  readonly registry = new Registry();

  private readonly requests = this.createCounter('http_requests_total', 'HTTP responses.', [
    'method',
    'route',
    'status',
  ]);
  private readonly durations = this.createHistogram(
    'http_request_duration_seconds',
    'Time from the request to its response.',
    LATENCY_BUCKETS,
    ['method', 'route'],
  );
  private readonly events = this.createCounter('events_appended_total', 'Recorded events.');
  private readonly appends = this.createHistogram(
    'append_duration_seconds',
    'Time from an append to its acknowledgement.',
    LATENCY_BUCKETS,
  );
  private readonly conflicts = this.createCounter(
    'append_conflicts_total',
    'Appends that failed because the stream had another revision.',
  );
  private readonly claims = this.createCounter('idempotency_outcomes_total', 'Outcomes of idempotency keys.', [
    'outcome',
  ]);
  private readonly attempts = this.createCounter('delivery_attempts_total', 'Delivery attempts that have ended.', [
    'outcome',
  ]);
  private readonly lag = this.createHistogram(
    'delivery_lag_seconds',
    'Time from the occurrence to the start of its first attempt.',
    LAG_BUCKETS,
  );

  constructor() {
    super();
    const eventLoop = { eventLoopMonitoringPrecision: LOOP_SAMPLE_MS, eventLoopUtilizationTimeout: LOOP_WINDOW_MS };
    collectDefaultMetrics({ register: this.registry, ...eventLoop });
  }

  /** @param route the declared route, `/v1/commerce/products/:id`; null for an unknown path */
  recordRequest(method: string, route: string | null, status: number, ms: number): void {
    const labels = { method, route: route ?? 'none' };
    this.requests.inc({ ...labels, status: String(status) });
    this.durations.observe(labels, ms / 1_000);
  }

  onAppended(events: readonly NewEvent[], ms: number): void {
    this.events.inc(events.length);
    this.appends.observe(ms / 1_000);
    for (const event of events) this.recordAttempt(event);
  }

  onConflict(): void {
    this.conflicts.inc();
  }

  onClaim(status: ClaimResult['status']): void {
    this.claims.inc({ outcome: status });
  }

  private recordAttempt(event: NewEvent): void {
    const outcome = toAttemptOutcome(event);
    if (outcome !== null) this.attempts.inc({ outcome });
    const lag = measureFirstAttemptLag(event);
    if (lag !== null) this.lag.observe(lag / 1_000);
  }

  private createCounter(name: string, help: string, labelNames: string[] = []): Counter<string> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private createHistogram(name: string, help: string, buckets: number[], labelNames: string[] = []): Histogram<string> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}
