import { Injectable } from '@nestjs/common';
import { Engine } from '../engine/engine.js';
import { EventStore } from '../kernel/event-store.js';
import { Jobs } from '../kernel/jobs.js';
import { ReadModels } from '../kernel/read-models.js';
import { Vault } from '../kernel/vault.js';
import { Stores } from '../stores/stores.js';

const PROBE = 'health';
const FULL = 2;

export interface Part {
  readonly status: 'green' | 'red';
  readonly detail: string;
}

export interface Readiness {
  readonly status: 'green' | 'red';
  readonly parts: Readonly<Record<string, Part>>;
}

/** Whether this process can do its work, asked of each part anew. */
@Injectable()
export class Health {
  private draining = false;

  constructor(
    private readonly stores: Stores,
    private readonly eventStore: EventStore,
    private readonly readModels: ReadModels,
    private readonly jobs: Jobs,
    private readonly vault: Vault,
    private readonly engine: Engine,
  ) {}

  /** No new work from now on. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining;
  }

  async readiness(): Promise<Readiness> {
    const [event_store, read_models, jobs, vault, durability] = await Promise.all([
      part(async () => `head ${(await this.eventStore.head()) || 'empty'}`),
      part(async () => `checkpoint ${(await this.readModels.checkpoint(PROBE)) || 'none'}`),
      part(async () => `next due ${(await this.jobs.nextDue(PROBE)) ?? 'none'}`),
      part(async () => `readable${(await this.vault.get(PROBE)) ? ', probed' : ''}`),
      part(() => this.durability()),
    ]);
    const projections = await part(async () => this.projections());
    const parts = { event_store, read_models, jobs, vault, durability, projections };
    const red = this.draining || Object.values(parts).some(({ status }) => status === 'red');
    return { status: red ? 'red' : 'green', parts };
  }

  private async durability(): Promise<string> {
    if (this.stores.failure !== null) throw this.stores.failure;
    const synchronous = await this.stores.ports.synchronous();
    if (synchronous !== FULL) throw new Error(`synchronous is ${synchronous}, not FULL`);
    return 'every commit is behind an fsync';
  }

  private projections(): string {
    const { running, runners, failing } = this.engine.status();
    const failed = [...failing, ...runners.map((runner) => runner.failing).filter((failure) => failure !== null)];
    if (!running) throw new Error('the engine does not run');
    if (failed.length > 0) throw new Error(`${failed.length} failing`);
    return `${runners.length} running`;
  }
}

async function part(probe: () => Promise<string>): Promise<Part> {
  try {
    return { status: 'green', detail: await probe() };
  } catch (error) {
    return { status: 'red', detail: error instanceof Error ? error.message : String(error) };
  }
}
