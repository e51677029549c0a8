import { Logger } from '@nestjs/common';
import type { Config } from '../../src/config/config.js';
import { Clients } from './clients.js';
import { FaultSchedule } from './fault-schedule.js';
import { collectFindings } from './findings.js';
import { Operators } from './operators.js';
import { findUnfinishedWork } from './quiescence.js';
import { Readers } from './readers.js';
import { Challengers } from './shop/challengers.js';
import { CommunityMembers } from './shop/community-members.js';
import { Importers } from './shop/importers.js';
import { hasUnsettled } from './shop/shop-findings.js';
import { Shoppers } from './shop/shoppers.js';
import { Subscribers } from './shop/subscribers.js';
import type { Visitors } from './shop/visitors.js';
import { World, type WorldOptions } from './world.js';

const ACTIVE_MS = 6_000;
const SLICE_MS = 500;
/** Longer than the delay of a pending charge. */
const SETTLEMENT_MS = 2 * 60 * 60 * 1000;
const MAX_SETTLEMENTS = 10;
const MONTHS = 2;
const TEST_MODE_SHARE = 0.3;
/** Longer than the longest leases and the last retries. */
const MAX_RECOVERY_MS = 120_000;

/** The result of one seed. */
export interface RunReport {
  readonly seed: number;
  readonly hasShop: boolean;
  readonly findings: readonly string[];
  readonly digest: { readonly steps: number; readonly sha256: string };
  /** The types of the events in the log. */
  readonly types: ReadonlySet<string>;
  readonly story: readonly string[];
}

/** Runs one simulation: some seconds with faults, then a phase without faults in which the service must recover. */
export async function simulate(seed: number, config: Config, options: WorldOptions = {}): Promise<RunReport> {
  Logger.overrideLogger(false);
  const world = new World(seed, config, options);
  const { random } = world;
  const readers = new Readers(world, random.fork('readers'));
  const clients = new Clients(world, random.fork('clients'), readers);
  const operators = new Operators(world, random.fork('operators'));
  const faults = new FaultSchedule(world, random.fork('weather'));
  world.startProcesses(world.random.integer(2, 3));
  clients.start(ACTIVE_MS);
  const subscribers = createSubscribers(world);
  const visitors = world.bank === null ? [] : startVisitors(world, subscribers);
  readers.start(ACTIVE_MS);
  operators.start(ACTIVE_MS);
  faults.start(ACTIVE_MS);
  world.documentChecks.schedule(ACTIVE_MS, random.fork('glances'));
  await world.timeline.advance(ACTIVE_MS);
  await faults.end();
  const recover = () => waitUntilQuiescent(world, operators, visitors);
  await recover();
  if (world.bank !== null) await passMonths(world, { faults, subscribers, recover });
  return createReport(
    seed,
    world,
    await collectFindings(world, { clients, readers, operators, times: subscribers.businessTimes }),
  );
}

/** In some runs the subscribers use the test mode of the business. */
function createSubscribers(world: World): Subscribers {
  const random = world.random.fork('subscribers');
  return new Subscribers(world, random, random.chance(TEST_MODE_SHARE) ? 'test' : 'live');
}

function startVisitors(world: World, subscribers: Subscribers): readonly Visitors[] {
  const all = [
    new Shoppers(world, world.random.fork('shoppers')),
    new CommunityMembers(world, world.random.fork('members')),
    new Importers(world, world.random.fork('importers')),
    new Challengers(world, world.random.fork('challengers')),
    subscribers,
  ];
  for (const visitors of all) visitors.start(ACTIVE_MS);
  return all;
}

interface Months {
  readonly faults: FaultSchedule;
  readonly subscribers: Subscribers;
  readonly recover: () => Promise<void>;
}

/** Lets months pass, each of them with its own faults. */
async function passMonths(world: World, { faults, subscribers, recover }: Months): Promise<void> {
  await settleCharges(world, subscribers, recover);
  world.lifeChecks!.checkMonth(subscribers.businessTimes);
  for (let left = MONTHS; left > 0; left--) {
    subscribers.passMonth(ACTIVE_MS);
    faults.start(ACTIVE_MS);
    await world.timeline.advance(ACTIVE_MS);
    await faults.end();
    await recover();
    await settleCharges(world, subscribers, recover);
    world.lifeChecks!.checkMonth(subscribers.businessTimes);
  }
}

/** Lets hours pass until no charge and no refund is unsettled. A renewal that falls due then may be unsettled too. */
async function settleCharges(world: World, subscribers: Subscribers, recover: () => Promise<void>): Promise<void> {
  for (let left = MAX_SETTLEMENTS; left > 0 && hasUnsettled(world.stores.events.log); left--) {
    world.passTime(SETTLEMENT_MS);
    if (subscribers.mode === 'test') subscribers.passTime(SETTLEMENT_MS);
    await recover();
  }
}

async function waitUntilQuiescent(world: World, operators: Operators, visitors: readonly Visitors[]): Promise<void> {
  const end = world.timeline.now + MAX_RECOVERY_MS;
  while (
    world.timeline.now < end &&
    (visitors.some(({ areBusy }) => areBusy) || (await findUnfinishedWork(world)).length > 0)
  ) {
    world.replaceEnded();
    await operators.settle();
    await world.timeline.advance(SLICE_MS);
  }
}

function createReport(seed: number, { trace, stores, bank }: World, findings: readonly string[]): RunReport {
  const types = new Set(stores.events.log.map(({ type }) => type));
  return { seed, hasShop: bank !== null, findings, digest: trace.digest(), types, story: trace.entries };
}
