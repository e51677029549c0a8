import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from '@prometheus-io/client';
import { Registry } from '../../engine/registry.js';
import { describeError } from '../../engine/retrier.js';
import {
  addErrorReporter,
  type BackgroundKind,
  type BackgroundWork,
  type ErrorReporter,
} from '../../kernel/background-errors.js';
import { Clock } from '../../kernel/clock.js';
import type { StoreUnavailable } from '../../kernel/event-store.js';
import { Metrics } from '../metrics/metrics.js';

/** Longer than the longest delay between two tries of a job: after it a failure counts as ended. */
const FAILURE_LIFETIME_MS = 900_000;
const MAX_FAILURES = 1_000;
/** Failures that readiness names. */
const MAX_NAMED = 5;
const MAX_ERROR_LENGTH = 200;
const LOG_WINDOW_MS = 60_000;
/** A fault that concerns many events at once writes this many lines a minute. */
const MAX_LINES = 10;

interface KnownFailure {
  readonly work: BackgroundWork;
  readonly error: string;
  readonly isParked: boolean;
  /** Monotonic time of the latest failure. */
  readonly at: number;
}

/**
 * Logs each error of background work with its stack when it happens first and when the work is parked, counts it, and
 * keeps it for readiness. Retries that fail again write nothing.
 */
@Injectable()
export class BackgroundErrors implements ErrorReporter, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('background');
  private readonly known = new Map<string, KnownFailure>();
  private readonly windows = new Map<string, { start: number; lines: number; suppressed: number }>();
  private readonly remove = addErrorReporter(this);
  private readonly counter: Counter<string>;

  constructor(
    metrics: Metrics,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {
    this.counter = new Counter({
      name: 'background_errors_total',
      help: 'Errors of work that no request waits for, without repeated ones: failed, or parked for an operator.',
      labelNames: ['kind', 'name', 'outcome'],
      registers: [metrics.registry],
    });
  }

  /** Prometheus sees the first error of a series only as a change from 0. */
  onApplicationBootstrap(): void {
    const { reactors, projections, jobs } = this.registry;
    const works: readonly BackgroundWork[] = [
      ...reactors.map(({ name }) => ({ kind: 'reactor', name }) as const),
      ...projections.map(({ name }) => ({ kind: 'projection', name }) as const),
      ...jobs.map(({ queue: { name } }) => ({ kind: 'job', name }) as const),
    ];
    for (const { kind, name } of works)
      for (const outcome of ['failed', 'parked']) this.counter.inc({ kind, name, outcome }, 0);
  }

  onApplicationShutdown(): void {
    this.remove();
  }

  onFailure(work: BackgroundWork, error: unknown): void {
    this.record(work, error, false);
  }

  onParked(work: BackgroundWork, error: unknown): void {
    this.record(work, error, true);
  }

  onRecovery(work: BackgroundWork): void {
    this.known.delete(toKey(work));
  }

  /** An outage concerns all work of the process, and writes one line a minute, without a stack. */
  onStoreUnavailable({ message }: StoreUnavailable): void {
    const suppressed = this.admitLine(`store ${message}`, 1);
    if (suppressed !== null) this.logger.warn({ suppressed }, `waiting for the stores: ${message}`);
  }

  /** Describes what fails now; null when nothing does. */
  describe(isIncluded: (kind: BackgroundKind) => boolean): string | null {
    const oldest = this.clock.monotonic() - FAILURE_LIFETIME_MS;
    const current = [...this.known.values()].filter(({ work, at }) => isIncluded(work.kind) && at >= oldest);
    if (current.length === 0) return null;
    const named = current.slice(-MAX_NAMED).map(describeFailure);
    const others = current.length - named.length;
    return [...named, ...(others > 0 ? [`${others} more`] : [])].join('; ');
  }

  private record(work: BackgroundWork, error: unknown, isParked: boolean): void {
    const key = toKey(work);
    const before = this.known.get(key);
    const now = this.clock.monotonic();
    const isKnown = before !== undefined && before.isParked === isParked && now - before.at < FAILURE_LIFETIME_MS;
    this.known.delete(key);
    this.known.set(key, { work, error: describeError(error).slice(0, MAX_ERROR_LENGTH), isParked, at: now });
    if (this.known.size > MAX_FAILURES) this.known.delete(this.known.keys().next().value!);
    if (isKnown) return;
    this.counter.inc({ kind: work.kind, name: work.name, outcome: isParked ? 'parked' : 'failed' });
    this.log(work, error, isParked);
  }

  private log(work: BackgroundWork, error: unknown, isParked: boolean): void {
    const suppressed = this.admitLine(`${work.kind} ${work.name}`, MAX_LINES);
    if (suppressed === null) return;
    const details = { ...work, ...(suppressed > 0 && { suppressed }), err: error };
    this.logger.error(details, isParked ? 'background_work_parked' : 'background_work_failed');
  }

  /** Returns the number of lines suppressed since the last one; null when this one is suppressed. */
  private admitLine(about: string, limit: number): number | null {
    const now = this.clock.monotonic();
    const known = this.windows.get(about);
    const isOver = known === undefined || now - known.start >= LOG_WINDOW_MS;
    const window = isOver ? { start: now, lines: 0, suppressed: known?.suppressed ?? 0 } : known;
    this.windows.set(about, window);
    if (window.lines >= limit) {
      window.suppressed++;
      return null;
    }
    window.lines++;
    const { suppressed } = window;
    window.suppressed = 0;
    return suppressed;
  }
}

function toKey({ kind, name, item = '' }: BackgroundWork): string {
  return JSON.stringify([kind, name, item]);
}

function describeFailure({ work: { kind, name, item }, error, isParked }: KnownFailure): string {
  return `${kind} ${name}${item === undefined ? '' : ` (${item})`} ${isParked ? 'was parked' : 'failed'}: ${error}`;
}
