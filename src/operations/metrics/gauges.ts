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

/** For so long what was asked of the stores is told again. */
const FRESH_MS = 1_000;

/** How things stand, asked of the stores when the metrics are. */
@Injectable()
export class Gauges {
  private readonly lag = this.gauge('projection_lag_seconds', 'Age of the oldest event that is not applied yet.', 'projection');
  private readonly passed = new Counter({
    name: 'projection_events_total',
    help: 'Events that this process has brought the projection past, its own and others.',
    labelNames: ['projection'],
    registers: [this.metrics.registry],
  });
  private readonly deadLetters = this.gauge('projection_dead_letters', 'Events that were set aside.', 'projection');
  private readonly due = this.gauge('jobs_due', 'Jobs that wait and are due.', 'queue');
  private readonly overdue = this.gauge('jobs_oldest_due_seconds', 'For how long the oldest of them has been due.', 'queue');
  private readonly parked = this.gauge('jobs_parked', 'Jobs that failed too often and were set aside.', 'queue');

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

  /** At most once a second, however often it is asked for. What cannot be asked now keeps what it said last. */
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

  /** A switch to another build begins it anew, as a new start does. */
  private countPassed(projection: string, build: string): void {
    const runner = this.engine.status().runners.find(({ name }) => name === build);
    this.passed.remove({ projection });
    this.passed.inc({ projection }, runner?.passed ?? 0);
  }

  /** Seconds. */
  private async lagOf(build: string): Promise<number> {
    const after = await this.readModels.checkpoint(build);
    const [oldest] = (await this.store.readAll({ after, limit: 1 })).events;
    return oldest === undefined ? 0 : Math.max(0, (this.clock.now() - Date.parse(oldest.meta.at)) / 1_000);
  }

  /** A queue that is empty is not among the sizes. Backlogs have labels of their own: one that is limited is late, and no fault. */
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

/** All backlogs of a queue together: `deliveries:*` stands for `deliveries:whs_…`, whatever the endpoint. */
function backlogsOf(queue: string): string {
  return `${queue}:*`;
}

function labelOf(queue: string): string {
  const end = queue.indexOf(':');
  return end < 0 ? queue : backlogsOf(queue.slice(0, end));
}
