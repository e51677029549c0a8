import { Logger } from '@nestjs/common';
import type { Config } from '../../src/config.js';
import { Clients } from './clients.js';
import { FaultSchedule } from './fault-schedule.js';
import { collectFindings } from './findings.js';
import { Operators } from './operators.js';
import { findUnfinishedWork } from './quiescence.js';
import { Readers } from './readers.js';
import { Challengers } from './shop/challengers.js';
import { CommunityMembers } from './shop/community-members.js';
import { Importers } from './shop/importers.js';
import { Shoppers } from './shop/shoppers.js';
import type { Visitors } from './shop/visitors.js';
import { World, type WorldOptions } from './world.js';

const ACTIVE_MS = 6_000;
const SLICE_MS = 500;
/** Longer than the delay of a pending charge. */
const TIMERS_MS = 2 * 60 * 60 * 1000;
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
  const visitors = world.bank === null ? [] : startVisitors(world);
  readers.start(ACTIVE_MS);
  operators.start(ACTIVE_MS);
  faults.start(ACTIVE_MS);
  world.documentChecks.schedule(ACTIVE_MS, random.fork('glances'));
  await world.timeline.advance(ACTIVE_MS);
  await faults.end();
  await waitUntilQuiescent(world, operators, visitors);
  if (world.bank !== null) await runTimers(world, operators, visitors);
  return createReport(seed, world, await collectFindings(world, { clients, readers, operators }));
}

function startVisitors(world: World): readonly Visitors[] {
  const all = [
    new Shoppers(world, world.random.fork('shoppers')),
    new CommunityMembers(world, world.random.fork('members')),
    new Importers(world, world.random.fork('importers')),
    new Challengers(world, world.random.fork('challengers')),
  ];
  for (const visitors of all) visitors.start(ACTIVE_MS);
  return all;
}

/** Lets the timers of unsettled charges and refunds become due. */
async function runTimers(world: World, operators: Operators, visitors: readonly Visitors[]): Promise<void> {
  world.passTime(TIMERS_MS);
  await waitUntilQuiescent(world, operators, visitors);
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
