import { randomInt } from 'node:crypto';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import type { DeliveryChainEvent } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { deliveryChainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { isSubscribedTo } from '../../../src/webhooks/domain/event-types.js';
import { SeededRandom } from '../../support/clock.js';
import { findBrokenChains, findOpenChains } from '../../support/invariants/deliveries.js';
import { findBrokenJobs } from '../../support/invariants/replay-jobs.js';
import { readTestConfig } from '../test-config.js';
import { BackfillWorld, BUSINESS } from './backfill-world.js';

const ROUNDS = Number(process.env.BACKFILL_ROUNDS ?? 3);
const SEED = Number(process.env.BACKFILL_SEED ?? randomInt(2 ** 31));
const STEPS = 40;
const ENVIRONMENT = { WEBHOOK_REPLAY_RATE: '50', WEBHOOK_RETRY_SCHEDULE: '1' };
/** The type of messages is not part of `*`. */
const TYPES = ['product.approved', 'offer.sent', 'community.message.created'];
const FILTERS = [['*'], ['offer.*'], ['product.approved', 'community.message.*'], TYPES];
const MAX_WAIT_MS = 300_000;

/** Makes random steps: events, subscriptions, disablings, jobs, cancellations and kills. */
class RandomHistory {
  readonly filters = new Map<string, readonly string[]>();
  private readonly jobs: string[] = [];
  private readonly random: SeededRandom;

  constructor(
    readonly world: BackfillWorld,
    seed: number,
  ) {
    this.random = new SeededRandom(seed);
  }

  async play(): Promise<void> {
    await this.world.start();
    for (let step = 0; step < STEPS; step++) await this.makeStep().catch(ignoreRejection);
  }

  /** Lets every endpoint get what it has not got: the second job shares the events with those before. */
  async finish(): Promise<void> {
    for (const [endpointId, eventTypes] of this.filters) {
      await this.world.edit(endpointId, { type: 'EditEndpoint', changes: { eventTypes }, status: 'enabled' });
      await this.endJobs();
      this.jobs.push(await this.world.backfill(endpointId));
      await this.endJobs();
    }
    await this.waitUntil(() => Promise.resolve(findOpenChains(this.world.events.log).length === 0));
    await this.world.stop();
  }

  private async endJobs(): Promise<void> {
    const isActive = (status: string) => ['pending', 'running', 'cancelling'].includes(status);
    await this.waitUntil(async () => {
      const statuses: string[] = [];
      for (const job of this.jobs) statuses.push(await this.world.statusOf(job));
      return !statuses.some(isActive);
    });
  }

  private async waitUntil(isReached: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; waited < MAX_WAIT_MS; waited += 1_000) {
      if (await isReached()) return;
      await this.world.clock.advance(1_000);
    }
    throw new Error('the work does not end');
  }

  private makeStep(): Promise<unknown> {
    const { world } = this;
    const draw = this.random.next();
    if (draw < 0.35) return this.publishSome();
    if (draw < 0.45) return this.createEndpoint();
    if (draw < 0.55) return this.edit({ eventTypes: this.pick(FILTERS) }, null);
    if (draw < 0.65) return this.edit({}, this.pick(['enabled', 'enabled', 'disabled'] as const));
    if (draw < 0.8) return this.backfill();
    if (draw < 0.85 && this.jobs.length > 0) return world.cancel(this.pick(this.jobs));
    if (draw < 0.93) return world.kill();
    return world.clock.advance(Math.floor(this.random.next() * 2_000));
  }

  private async publishSome(): Promise<void> {
    for (let left = 1 + Math.floor(this.random.next() * 12); left > 0; left--) {
      const draw = this.random.next();
      const foreign = draw < 0.1 ? { businessId: 'biz_2' } : draw < 0.2 ? { mode: 'test' as const } : {};
      await this.world.publish(this.pick(TYPES), foreign);
    }
  }

  private async createEndpoint(): Promise<void> {
    const filter = this.pick(FILTERS);
    this.filters.set(await this.world.createEndpoint(filter), filter);
  }

  private async edit(
    changes: { eventTypes?: readonly string[] },
    status: 'enabled' | 'disabled' | null,
  ): Promise<void> {
    const endpointId = this.pick([...this.filters.keys()]);
    if (endpointId === undefined) return;
    await this.world.edit(endpointId, { type: 'EditEndpoint', changes, status });
    this.filters.set(endpointId, changes.eventTypes ?? this.filters.get(endpointId)!);
  }

  private async backfill(): Promise<void> {
    const endpointId = this.pick([...this.filters.keys()]);
    if (endpointId !== undefined) this.jobs.push(await this.world.backfill(endpointId));
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random.next() * choices.length)]!;
  }
}

/** The number of chains that jobs have planned, so that the histories are known to test something. */
let planned = 0;
afterAll(() => expect(planned).toBeGreaterThan(0));

describe.each(Array.from({ length: ROUNDS }, (_, i) => SEED + i))('A random history (BACKFILL_SEED=%i)', (seed) => {
  it('gives each endpoint each event that it subscribes to, in one chain with one first attempt', async () => {
    const history = new RandomHistory(new BackfillWorld(await readTestConfig(ENVIRONMENT), seed), seed);
    await history.play();
    await history.finish();
    const { log } = history.world.events;
    planned += log.filter(isPlannedByJob).length;
    expect(findMissingOrDoubled(history)).toEqual([]);
    expect(findForeign(log)).toEqual([]);
    expect(findBrokenChains(log)).toEqual([]);
    expect(findBrokenJobs(log)).toEqual([]);
  }, 120_000);
});

function findMissingOrDoubled({ world, filters }: RandomHistory): readonly string[] {
  const starts = Map.groupBy(
    (world.events.log as RecordedOf<DeliveryChainEvent>[]).filter(isFirstStart),
    ({ data }) => data.chainId,
  );
  return [...filters].flatMap(([endpointId, filter]) =>
    world
      .listPublicEvents()
      .filter(
        ({ type, businessId, mode }) => businessId === BUSINESS && mode === 'live' && isSubscribedTo(filter, type),
      )
      .flatMap(({ eventId, occurredAt, type }) => {
        const count = starts.get(deliveryChainIdOf(occurredAt, eventId, endpointId))?.length ?? 0;
        return count === 1 ? [] : [`${eventId} (${type}) to ${endpointId}: ${count} first attempts`];
      }),
  );
}

/** Finds attempts for events of another business or mode. */
function findForeign(log: readonly RecordedEvent[]): readonly string[] {
  const attempts = log.filter(({ type }) => type === 'AttemptStarted');
  return attempts.filter(({ meta }) => meta.business !== BUSINESS || meta.mode !== 'live').map(({ stream }) => stream);
}

function isPlannedByJob({ type, data }: RecordedEvent): boolean {
  return type === 'DeliveryChainPlanned' && 'plannedBy' in data;
}

function isFirstStart({ type, data }: RecordedOf<DeliveryChainEvent>): boolean {
  return type === 'AttemptStarted' && data.attempt === 1;
}

/** A command may be refused, as that of a client: another job is active, or the job has ended. */
function ignoreRejection(error: unknown): void {
  if (!(error instanceof Rejection)) throw error;
}
