import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from '@prometheus-io/client';
import { Builds } from '../../engine/builds/builds.js';
import { Engine } from '../../engine/engine.js';
import { DEAD_LETTERS } from '../../engine/projecting/dead-letters.js';
import { Registry } from '../../engine/registry.js';
import { Clock } from '../../kernel/clock.js';
import { EventStore } from '../../kernel/event-store.js';
import { Jobs, type QueueSize } from '../../kernel/jobs.js';
import { collectionOf } from '../../kernel/projection.js';
import { ReadModels } from '../../kernel/read-models.js';
import { Metrics } from './metrics.js';

/** The gauges read the stores again after this time. */
const FRESH_MS = 1_000;

/** Gauges that are read from the stores when Prometheus scrapes the metrics. */
@Injectable()
export class Gauges {
  private readonly lag = this.gauge(
    'projection_lag_seconds',
    'Age of the oldest event that the projection has not applied yet.',
    'projection',
  );
  private readonly passed = new Counter({
    name: 'projection_events_total',
    help: 'Events that this process has read for the projection, including events that do not concern it.',
    labelNames: ['projection'],
    registers: [this.metrics.registry],
  });
  private readonly deadLetters = this.gauge('projection_dead_letters', 'Dead letters of the projection.', 'projection');
  private readonly due = this.gauge('jobs_due', 'Waiting jobs that are due.', 'queue');
  private readonly overdue = this.gauge('jobs_oldest_due_seconds', 'Seconds for which the oldest waiting job has been due.', 'queue');
  private readonly parked = this.gauge('jobs_parked', 'Jobs that were parked after too many failures.', 'queue');

  private looked: Promise<unknown> = Promise.resolve();
  private lookedAt = -Infinity;

  constructor(
    private readonly metrics: Metrics,
    private readonly engine: Engine,
    private readonly registry: Registry,
    private readonly builds: Builds,
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Reads the stores at most once a second. A gauge whose store cannot be read keeps its last value. */
  look(): Promise<void> {
    if (this.clock.monotonic() - this.lookedAt >= FRESH_MS) {
      this.lookedAt = this.clock.monotonic();
      this.looked = Promise.allSettled([this.lookAtProjections(), this.lookAtJobs()]);
    }
    return this.looked.then(() => undefined);
  }

  private async lookAtProjections(): Promise<void> {
    await this.builds.look();
    for (const projection of this.registry.projections) {
      const name = collectionOf(projection);
      const build = this.builds.activeOf(name);
      if (build === null) continue;
      this.countPassed(name, build);
      this.lag.set({ projection: name }, await this.lagOf(build));
      this.deadLetters.set({ projection: name }, await this.readModels.count(DEAD_LETTERS, { projection: build }));
    }
  }

  /** Sets the counter of the active build. It starts at 0 after a switch to another build, and after a restart. */
  private countPassed(projection: string, build: string): void {
    const runner = this.engine.status().runners.find(({ name }) => name === build);
    this.passed.remove({ projection });
    this.passed.inc({ projection }, runner?.passed ?? 0);
  }

  /** Returns the lag in seconds. */
  private async lagOf(build: string): Promise<number> {
    const after = await this.readModels.checkpoint(build);
    const [oldest] = (await this.store.readAll({ after, limit: 1 })).events;
    return oldest === undefined ? 0 : Math.max(0, (this.clock.now() - Date.parse(oldest.meta.at)) / 1_000);
  }

  /**
   * Sets the gauges of all queues; the store lists no empty queue. A rate limit may delay a backlog, so backlogs have a
   * separate label.
   */
  private async lookAtJobs(): Promise<void> {
    const sizes = Map.groupBy(await this.jobs.sizes(), ({ queue }) => labelOf(queue));
    const queues = this.registry.jobs.map(({ queue }) => queue);
    for (const gauge of [this.due, this.overdue, this.parked]) gauge.reset();
    for (const queue of queues) this.show(queue, sizes.get(queue) ?? []);
    for (const label of queues.map(backlogsOf).filter((one) => sizes.has(one))) this.show(label, sizes.get(label)!);
  }

  private show(queue: string, sizes: readonly QueueSize[]): void {
    const sum = (of: 'due' | 'parked') => sizes.reduce((total, size) => total + size[of], 0);
    const [oldest = null] = sizes.flatMap(({ oldestDue }) => oldestDue ?? []).sort();
    this.due.set({ queue }, sum('due'));
    this.overdue.set({ queue }, oldest === null ? 0 : Math.max(0, (this.clock.now() - Date.parse(oldest)) / 1_000));
    this.parked.set({ queue }, sum('parked'));
  }

  private gauge(name: string, help: string, labelName: string): Gauge<string> {
    return new Gauge({ name, help, labelNames: [labelName], registers: [this.metrics.registry] });
  }
}

/** Returns the label of all backlogs of a queue: `deliveries:*` is the sum of `deliveries:whs_…` over all endpoints. */
function backlogsOf(queue: string): string {
  return `${queue}:*`;
}

function labelOf(queue: string): string {
  const end = queue.indexOf(':');
  return end < 0 ? queue : backlogsOf(queue.slice(0, end));
}
