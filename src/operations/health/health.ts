import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Engine } from '../../engine/engine.js';
import type { EngineStatus } from '../../engine/engine-status.js';
import { ConnectionLimits } from '../../http/server/connection-limits.js';
import type { BackgroundKind } from '../../kernel/background-errors.js';
import { BuildCatalogue } from '../../kernel/build-catalogue.js';
import { Clock } from '../../kernel/clock.js';
import { EventStore } from '../../kernel/event-store.js';
import { Idempotency } from '../../kernel/idempotency.js';
import { Jobs } from '../../kernel/jobs.js';
import { Vault } from '../../kernel/vault.js';
import { Stores } from '../../stores/stores.js';
import { BackgroundErrors } from './background-errors.js';
import { checkFreeSpace } from './disk-space.js';
import { LagMonitor } from './lag-monitor.js';

const PROBE = 'health';
/** A part that has not responded within this time counts as failed, so that a fault shows within 2 s. */
const TIMEOUT_MS = 1_500;
/** Limits the detail of a part. */
const MAX_FAILURES = 10;
const MAX_NAMES = 3;
const MAX_FAILURE_LENGTH = 300;

export interface HealthPart {
  readonly status: 'green' | 'red';
  readonly detail: string;
}

export interface Readiness {
  readonly status: 'green' | 'red';
  readonly parts: Readonly<Record<string, HealthPart>>;
}

/**
 * Checks whether this process can work. Each call probes every part again. The report of `@nestjs/terminus` has another
 * form and no time limit for a part.
 */
@Injectable()
export class Health {
  private readonly draining = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly stores: Stores,
    private readonly eventStore: EventStore,
    private readonly catalogue: BuildCatalogue,
    private readonly jobs: Jobs,
    private readonly idempotency: Idempotency,
    private readonly vault: Vault,
    private readonly engine: Engine,
    private readonly lagMonitor: LagMonitor,
    private readonly backgroundErrors: BackgroundErrors,
    private readonly connectionLimits: ConnectionLimits,
    private readonly clock: Clock,
  ) {}

  /** Starts to monitor the lag of the consumers. */
  watch(): void {
    void this.lagMonitor.watch(this.draining.signal);
  }

  /** Starts to drain: readiness turns red. */
  drain(): void {
    this.draining.abort();
  }

  get isDraining(): boolean {
    return this.draining.signal.aborted;
  }

  /** Aborts when the process starts to drain. */
  get drainSignal(): AbortSignal {
    return this.draining.signal;
  }

  async checkReadiness(): Promise<Readiness> {
    const [event_store, read_models, jobs, idempotency, vault, durability, projections, disk, connections] =
      await Promise.all([
        this.probePart(async () => `head ${(await this.eventStore.readHead()) || 'empty'}`),
        this.probePart(async () => `${(await this.catalogue.listEntries()).length} projections`),
        this.probePart(async () =>
          this.addErrors(`next due ${(await this.jobs.findNextDue(PROBE)) ?? 'none'}`, isOfJobs),
        ),
        this.probePart(() => this.checkIdempotency()),
        this.probePart(async () => `readable${(await this.vault.get(PROBE)) ? ', probed' : ''}`),
        this.probePart(() => this.checkDurability()),
        this.probePart(() => this.checkConsumers()),
        this.probePart(async () =>
          'file' in this.config.stores
            ? checkFreeSpace(this.config.dataDir, this.config.minFreeDiskMegabytes)
            : 'not used by external stores',
        ),
        this.probePart(async () => this.connectionLimits.describeUsage()),
      ]);
    const payments = { status: 'green', detail: describePayments(this.config) } as const;
    const stores = { event_store, read_models, jobs, idempotency, vault, durability };
    const parts = { ...stores, projections, disk, connections, payments };
    const isRed = this.isDraining || Object.values(parts).some(({ status }) => status === 'red');
    return { status: isRed ? 'red' : 'green', parts };
  }

  /** Writes to the idempotency store without an effect: the key of the probe has no claim. */
  private async checkIdempotency(): Promise<string> {
    await this.idempotency.release({ scope: PROBE, key: PROBE }, PROBE, 1);
    return 'writable';
  }

  private async checkDurability(): Promise<string> {
    if (this.stores.failure !== null) throw this.stores.failure;
    return this.stores.ports.checkDurability();
  }

  /** Checks the lag of all consumers in all processes, and the errors of the consumers in this process. */
  private async checkConsumers(): Promise<string> {
    const status = this.engine.status();
    if (!status.running) throw new Error('the engine does not run');
    await this.lagMonitor.refresh();
    const failures = [
      ...describeGroup(this.lagMonitor.consumersAhead, 'is ahead of the log: stop the service and run "store rewind"'),
      ...describeGroup(this.lagMonitor.stalledConsumers, 'does not advance although the log is ahead of it'),
      ...describeFailures(status),
    ];
    if (failures.length > 0) throw new Error(summarize(failures));
    return this.addErrors(`${status.runners.length} running here`, (kind) => !isOfJobs(kind));
  }

  /**
   * One event or job that fails does not make this process unable to serve, so it is named and the part stays green:
   * otherwise one such event would stop the whole service.
   */
  private addErrors(detail: string, isIncluded: (kind: BackgroundKind) => boolean): string {
    const errors = this.backgroundErrors.describe(isIncluded);
    return errors === null ? detail : `${detail}; ${errors}`;
  }

  private async probePart(probe: () => Promise<string>): Promise<HealthPart> {
    const controller = new AbortController();
    const timeout = this.clock
      .sleep(TIMEOUT_MS, controller.signal)
      .then(() => Promise.reject(new Error(`no response within ${TIMEOUT_MS} ms`)));
    try {
      return { status: 'green', detail: await Promise.race([probe(), timeout]) };
    } catch (error) {
      return { status: 'red', detail: error instanceof Error ? error.message : String(error) };
    } finally {
      // It ends when it is aborted below.
      timeout.catch(() => undefined);
      controller.abort();
    }
  }
}

/** Simulated payments look like real ones, so readiness names them. */
function describePayments({ stripe }: Config): string {
  if (stripe === null) return 'the payments of live mode are SIMULATED, and no money moves';
  return stripe.mode === 'live'
    ? 'live payments by Stripe'
    : 'live payments are declined: the key of Stripe is a test key';
}

function isOfJobs(kind: BackgroundKind): boolean {
  return kind === 'job';
}

/** Returns one text for all consumers with the same problem, because one event can stop every consumer. */
function describeGroup(names: readonly string[], problem: string): string[] {
  if (names.length === 0) return [];
  const others = names.length - MAX_NAMES;
  return [`${names.slice(0, MAX_NAMES).join(', ')}${others > 0 ? ` and ${others} more` : ''}: ${problem}`];
}

function summarize(failures: readonly string[]): string {
  const unique = [...new Set(failures)];
  const shown = unique.slice(0, MAX_FAILURES).map((failure) => failure.slice(0, MAX_FAILURE_LENGTH));
  const others = unique.length - shown.length;
  return [...shown, ...(others > 0 ? [`and ${others} more`] : [])].join('; ');
}

function describeFailures({ runners, building, lagging, failing }: EngineStatus): string[] {
  return [
    ...building.map(({ name, position, error }) =>
      error === null
        ? `${name} is being built${position === null ? '' : `, up to ${position} so far`}`
        : `${name} cannot be built: ${error}`,
    ),
    ...describeGroup(lagging, 'has not caught up since this process started'),
    ...[...Map.groupBy(runners, ({ failing }) => failing?.error ?? null)].flatMap(([error, failed]) =>
      error === null
        ? []
        : describeGroup(
            failed.map(({ name }) => name),
            error,
          ),
    ),
    ...failing.map(({ error }) => error),
  ];
}
