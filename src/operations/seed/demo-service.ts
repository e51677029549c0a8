import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { Engine } from '../../engine/engine.js';
import { ProcessRegistry } from '../../engine/process-registry.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Registry } from '../../engine/registry.js';
import { StoreMetrics } from '../../engine/store-metrics.js';
import { ClockOverride, RandomOverride } from '../../kernel/clock.js';
import type { NewEvent } from '../../kernel/event.js';
import { EventStore } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import { Leases } from '../../kernel/leases.js';
import { currentProcessId } from '../../stores/process-id.js';
import { NameResolverOverride } from '../../webhooks/delivery/name-resolver.js';
import { SenderOverride } from '../../webhooks/delivery/sender.js';
import { OperatorError } from '../operators/operator-error.js';
import { DemoClock } from './demo-clock.js';
import type { DemoPeriod } from './demo-period.js';
import { DemoNames, DemoSender } from './demo-receivers.js';

const POLL_MS = 2;
const LEASE = 'seed';
/** Longer than a demo takes. The lease is not renewed, since a renewal would end by the clock of the demo. */
const LEASE_MS = 3_600_000;

/** Counts the events that this process records. */
export class EventCounter extends StoreMetrics {
  events = 0;

  onAppended(events: readonly NewEvent[]): void {
    this.events += events.length;
  }

  onConflict(): void {
    // Another append follows.
  }

  onClaim(): void {
    // A demo has no idempotency keys.
  }
}

/** The ids of events contain a random number. A constant makes them the same in every demo. */
const random = { provide: RandomOverride, useValue: { next: () => 0.5 } };
const clock = { provide: ClockOverride, useFactory: () => new DemoClock() };
const counter = { provide: StoreMetrics, useClass: EventCounter };
const names = { provide: NameResolverOverride, useClass: DemoNames };
const sender = { provide: SenderOverride, useClass: DemoSender };

/** Gives the service the clock of the demo, counts its events, and responds for its receivers. */
@Global()
@Module({
  providers: [clock, random, counter, names, sender],
  exports: [ClockOverride, RandomOverride, StoreMetrics, NameResolverOverride, SenderOverride],
})
export class DemoModule {}

/** The service of a demo: everything runs, by a clock that the demo sets. */
export class DemoService {
  readonly clock = this.get(ClockOverride) as DemoClock;
  private readonly engine = this.get(Engine);
  private readonly events = this.get(EventStore);
  private readonly jobs = this.get(Jobs);
  private readonly reader = this.get(ReadModelReader);
  private readonly registry = this.get(Registry);

  constructor(private readonly service: INestApplicationContext) {}

  get recordedEvents(): number {
    return (this.get(StoreMetrics) as EventCounter).events;
  }

  get<T>(type: Type<T> | Abstract<T>): T {
    return this.service.get<T>(type, { strict: false });
  }

  /**
   * Runs the work beside the engine, and stops the engine. An interrupted demo continues at its last time. The events
   * of a demo have the same ids in every process, so two processes must not record them at the same time. The leases of
   * other processes end by the present time, which the clock shows until the demo begins.
   * @throws OperatorError while another process fills or serves the store
   */
  async run<T>(period: DemoPeriod, work: () => Promise<T>): Promise<T> {
    const [leases, holder] = [this.get(Leases), currentProcessId()];
    if ((await leases.acquireLease(LEASE, holder, LEASE_MS)) === null) throw createInUseError();
    try {
      if ((await this.get(ProcessRegistry).findActive()) !== null) throw createInUseError();
      return await this.runBesideEngine(period, work);
    } finally {
      await leases.releaseLease(LEASE, holder);
    }
  }

  private async runBesideEngine<T>(period: DemoPeriod, work: () => Promise<T>): Promise<T> {
    const [last] = (await this.events.readAll({ limit: 1, backwards: true })).events;
    this.clock.set(last === undefined ? period.startMs : Date.parse(last.meta.at));
    (this.get(SenderOverride) as DemoSender).lastDay = period.lastDay;
    await this.engine.start();
    try {
      return await work();
    } finally {
      await this.engine.stop();
    }
  }

  /** Returns the time of the first event, or null in an empty store. */
  async findStart(): Promise<number | null> {
    const [first] = (await this.events.readAll({ limit: 1 })).events;
    return first === undefined ? null : Date.parse(first.meta.at);
  }

  /**
   * Resolves when projections and reactors have handled every event, and no job is due.
   * @param mayWait whether jobs of this queue can be due and wait for something else
   */
  async settle(mayWait: (queue: string) => boolean = () => false): Promise<void> {
    for (;;) {
      const head = await this.events.readHead();
      await this.waitForProjections(head);
      if (this.hasPassed(head) && !(await this.hasWork(mayWait)) && (await this.events.readHead()) === head) return;
      await this.clock.sleep(POLL_MS);
    }
  }

  /** A projection that collects events saves them at once when a read waits for it. */
  private async waitForProjections(head: string): Promise<void> {
    await Promise.all(this.registry.projections.map((projection) => this.reader.waitUntil(projection, head)));
  }

  private hasPassed(head: string): boolean {
    const { runners } = this.engine.status();
    const consumers = this.registry.projections.length + this.registry.reactors.length;
    return runners.length >= consumers && runners.every(({ position }) => position >= head);
  }

  private async hasWork(mayWait: (queue: string) => boolean): Promise<boolean> {
    const stats = await this.jobs.readQueueStats();
    return stats.some(({ queue, due, running }) => running > 0 || (due > 0 && !mayWait(queue)));
  }
}

function createInUseError(): OperatorError {
  return new OperatorError('operation_refused', 'another process works on this store: stop it, or wait for its end');
}
