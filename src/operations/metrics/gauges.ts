import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from '@prometheus-io/client';
import { Builds } from '../../engine/builds/builds.js';
import { Engine } from '../../engine/engine.js';
import { DEAD_LETTERS } from '../../engine/projections/dead-letters.js';
import { parkedReactions } from '../../engine/reactors/parked-reactions.js';
import { Registry } from '../../engine/registry.js';
import { reportAndIgnore } from '../../kernel/background-errors.js';
import { Checkpoints } from '../../kernel/checkpoints.js';
import { Clock } from '../../kernel/clock.js';
import { Jobs, type QueueStats } from '../../kernel/jobs.js';
import type { Position } from '../../kernel/position.js';
import { collectionOf } from '../../kernel/projection.js';
import { ReadModels } from '../../kernel/read-models.js';
import { Stores } from '../../stores/stores.js';
import { Metrics } from './metrics.js';

/** The gauges read the stores again after this time. */
const MAX_AGE_MS = 1_000;
const WORK = { kind: 'loop', name: 'gauges' } as const;

/** Gauges that are read from the stores when Prometheus scrapes the metrics. */
@Injectable()
export class Gauges {
  private readonly lag = this.createGauge(
    'projection_lag_seconds',
    'Age of the oldest event that the projection has not applied yet.',
    'projection',
  );
  private readonly processed = new Counter({
    name: 'projection_events_total',
    help: 'Events that this process has read for the projection, including events that do not concern it.',
    labelNames: ['projection'],
    registers: [this.metrics.registry],
  });
  private readonly deadLetters = this.createGauge(
    'projection_dead_letters',
    'Dead letters of the projection: failed events, each with the later events that wait for it.',
    'projection',
  );
  private readonly due = this.createGauge('jobs_due', 'Waiting jobs that are due.', 'queue');
  private readonly overdue = this.createGauge(
    'jobs_oldest_due_seconds',
    'Seconds for which the oldest waiting job has been due.',
    'queue',
  );
  private readonly parked = this.createGauge('jobs_parked', 'Jobs that were parked after too many failures.', 'queue');

  private refreshed: Promise<unknown> = Promise.resolve();
  private refreshedAt = -Infinity;
  private readonly startedAt = this.clock.monotonic();
  /** The monotonic time at which the position of each projection was first seen. */
  private readonly seen = new Map<string, { readonly position: Position | null; readonly since: number }>();

  constructor(
    private readonly metrics: Metrics,
    private readonly engine: Engine,
    private readonly registry: Registry,
    private readonly builds: Builds,
    private readonly stores: Stores,
    private readonly readModels: ReadModels,
    private readonly checkpoints: Checkpoints,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Reads the stores at most once a second. A gauge whose store cannot be read keeps its last value. */
  refresh(): Promise<void> {
    if (this.clock.monotonic() - this.refreshedAt >= MAX_AGE_MS) {
      this.refreshedAt = this.clock.monotonic();
      this.refreshed = Promise.all([
        this.refreshProjections().catch(reportAndIgnore(WORK)),
        this.refreshJobs().catch(reportAndIgnore(WORK)),
      ]);
    }
    return this.refreshed.then(() => undefined);
  }

  private async refreshProjections(): Promise<void> {
    // Without the catalogue the projections keep their builds.
    await this.builds.refresh().catch(reportAndIgnore(WORK));
    for (const projection of this.registry.projections) {
      const name = collectionOf(projection);
      const build = this.builds.findActive(name);
      // One store may not answer, or one event may not be readable: the others are measured all the same.
      this.lag.set({ projection: name }, await this.measureLag(name, build).catch(() => this.measureStandstill(name)));
      if (build === null) continue;
      this.setProcessed(name, build);
      await this.countDeadLetters(name, build).catch(reportAndIgnore(WORK));
    }
  }

  private async countDeadLetters(projection: string, build: string): Promise<void> {
    this.deadLetters.set({ projection }, await this.readModels.count(DEAD_LETTERS, { projection: build }));
  }

  /** Sets the counter of the active build. It starts at 0 after a switch to another build, and after a restart. */
  private setProcessed(projection: string, build: string): void {
    const runner = this.engine.status().runners.find(({ name }) => name === build);
    this.processed.remove({ projection });
    this.processed.inc({ projection }, runner?.passed ?? 0);
  }

  /**
   * Returns the lag in seconds. The event is read as it is stored, because this code may not know its type. The lag is
   * at least the time without progress: a clock that was ahead dates events in the future.
   */
  private async measureLag(name: string, build: string | null): Promise<number> {
    const position = build === null ? null : await this.checkpoints.readCheckpoint(build);
    if (this.seen.get(name)?.position !== position) this.seen.set(name, { position, since: this.clock.monotonic() });
    if (position === null) return this.measureStandstill(name);
    const [oldest] = (await this.stores.ports.events.readAll({ after: position, limit: 1 })).events;
    if (oldest === undefined) {
      this.seen.delete(name);
      return 0;
    }
    return Math.max(this.measureStandstill(name), (this.clock.now() - Date.parse(oldest.meta.at)) / 1_000);
  }

  /** Returns the seconds since the projection was last seen to advance. */
  private measureStandstill(name: string): number {
    return (this.clock.monotonic() - (this.seen.get(name)?.since ?? this.startedAt)) / 1_000;
  }

  /**
   * Sets the gauges of all queues; the store lists no empty queue. A rate limit may delay a backlog, so backlogs have a
   * separate label.
   */
  private async refreshJobs(): Promise<void> {
    const sizes = Map.groupBy(await this.jobs.readQueueStats(), ({ queue }) => toQueueLabel(queue));
    const queues = [...this.registry.jobs.map(({ queue }) => queue.name), parkedReactions.name];
    for (const gauge of [this.due, this.overdue, this.parked]) gauge.reset();
    for (const queue of queues) this.setJobGauges(queue, sizes.get(queue) ?? []);
    for (const label of queues.map(toBacklogLabel).filter((one) => sizes.has(one)))
      this.setJobGauges(label, sizes.get(label)!);
  }

  private setJobGauges(queue: string, sizes: readonly QueueStats[]): void {
    const sum = (of: 'due' | 'parked') => sizes.reduce((total, size) => total + size[of], 0);
    const [oldest = null] = sizes.flatMap(({ oldestDue }) => oldestDue ?? []).sort();
    this.due.set({ queue }, sum('due'));
    this.overdue.set({ queue }, oldest === null ? 0 : Math.max(0, (this.clock.now() - Date.parse(oldest)) / 1_000));
    this.parked.set({ queue }, sum('parked'));
  }

  private createGauge(name: string, help: string, labelName: string): Gauge<string> {
    return new Gauge({ name, help, labelNames: [labelName], registers: [this.metrics.registry] });
  }
}

/** Returns the label of all backlogs of a queue: `deliveries:*` is the sum of `deliveries:whs_…` over all endpoints. */
function toBacklogLabel(queue: string): string {
  return `${queue}:*`;
}

function toQueueLabel(queue: string): string {
  const end = queue.indexOf(':');
  return end < 0 ? queue : toBacklogLabel(queue.slice(0, end));
}
