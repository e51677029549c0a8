import { Injectable } from '@nestjs/common';
import { Config } from '../config.js';
import { Engine, type EngineStatus } from '../engine/engine.js';
import { Clock } from '../kernel/clock.js';
import { EventStore } from '../kernel/event-store.js';
import { Idempotency } from '../kernel/idempotency.js';
import { Jobs } from '../kernel/jobs.js';
import { ReadModels } from '../kernel/read-models.js';
import { Vault } from '../kernel/vault.js';
import { Stores } from '../stores/stores.js';
import { roomIn } from './disk.js';
import { Stalls } from './stalls.js';

const PROBE = 'health';
/** A part that has not responded within this time counts as failed. */
const PATIENCE_MS = 3_000;

export interface Part {
  readonly status: 'green' | 'red';
  readonly detail: string;
}

export interface Readiness {
  readonly status: 'green' | 'red';
  readonly parts: Readonly<Record<string, Part>>;
}

/** Checks whether this process can work. Each call probes every part again. */
@Injectable()
export class Health {
  private readonly draining = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly stores: Stores,
    private readonly eventStore: EventStore,
    private readonly readModels: ReadModels,
    private readonly jobs: Jobs,
    private readonly idempotency: Idempotency,
    private readonly vault: Vault,
    private readonly engine: Engine,
    private readonly stalls: Stalls,
    private readonly clock: Clock,
  ) {}

  /** Starts to monitor the lag of the consumers. */
  watch(): void {
    void this.stalls.watch(this.draining.signal);
  }

  /** Starts to drain: readiness turns red. */
  drain(): void {
    this.draining.abort();
  }

  get isDraining(): boolean {
    return this.draining.signal.aborted;
  }

  async readiness(): Promise<Readiness> {
    const [event_store, read_models, jobs, idempotency, vault, durability, projections, disk] = await Promise.all([
      this.part(async () => `head ${(await this.eventStore.head()) || 'empty'}`),
      this.part(async () => `${(await this.readModels.catalogue()).length} projections`),
      this.part(async () => `next due ${(await this.jobs.nextDue(PROBE)) ?? 'none'}`),
      this.part(() => this.claims()),
      this.part(async () => `readable${(await this.vault.get(PROBE)) ? ', probed' : ''}`),
      this.part(() => this.durability()),
      this.part(() => this.following()),
      this.part(async () => ('file' in this.config.stores ? roomIn(this.config.dataDir) : 'not used by external stores')),
    ]);
    const parts = { event_store, read_models, jobs, idempotency, vault, durability, projections, disk };
    const red = this.isDraining || Object.values(parts).some(({ status }) => status === 'red');
    return { status: red ? 'red' : 'green', parts };
  }

  /** Writes to the idempotency store without an effect: the key of the probe has no claim. */
  private async claims(): Promise<string> {
    await this.idempotency.forget({ scope: PROBE, key: PROBE }, PROBE, 1);
    return 'writable';
  }

  private async durability(): Promise<string> {
    if (this.stores.failure !== null) throw this.stores.failure;
    return this.stores.ports.durability();
  }

  /** Checks the lag of all consumers in all processes, and the errors of the consumers in this process. */
  private async following(): Promise<string> {
    const status = this.engine.status();
    if (!status.running) throw new Error('the engine does not run');
    await this.stalls.look();
    const wrong = [
      ...this.stalls.ahead.map((name) => `${name} is ahead of the log: stop the service and run "store rewind"`),
      ...this.stalls.names.map((name) => `${name} does not advance although the log is ahead of it`),
      ...troublesIn(status),
    ];
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    return `${status.runners.length} running here`;
  }

  private async part(probe: () => Promise<string>): Promise<Part> {
    const answered = new AbortController();
    const overdue = this.clock
      .sleep(PATIENCE_MS, answered.signal)
      .then(() => Promise.reject(new Error(`no response within ${PATIENCE_MS} ms`)));
    try {
      return { status: 'green', detail: await Promise.race([probe(), overdue]) };
    } catch (error) {
      return { status: 'red', detail: error instanceof Error ? error.message : String(error) };
    } finally {
      overdue.catch(() => undefined);
      answered.abort();
    }
  }
}

function troublesIn({ runners, building, behind, failing }: EngineStatus): string[] {
  return [
    ...building.map(({ name, position, error }) =>
      error === null
        ? `${name} is being built${position === null ? '' : `, up to ${position} so far`}`
        : `${name} cannot be built: ${error}`,
    ),
    ...behind.map((name) => `${name} has not caught up since this process started`),
    ...runners.flatMap((runner) => (runner.failing === null ? [] : [`${runner.name}: ${runner.failing.error}`])),
    ...failing.map(({ error }) => error),
  ];
}
