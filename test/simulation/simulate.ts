import { Logger } from '@nestjs/common';
import type { Config } from '../../src/config.js';
import { Clients } from './clients.js';
import { findingsIn } from './findings.js';
import { Operators } from './operators.js';
import { Readers } from './readers.js';
import { restless } from './rest.js';
import { Weather } from './weather.js';
import { World } from './world.js';

const ACTIVE_MS = 6_000;
const SLICE_MS = 500;
/** Longer than the longest leases and the last retries. */
const LONGEST_AFTERMATH_MS = 120_000;

/** The result of one seed. */
export interface Report {
  readonly seed: number;
  readonly findings: readonly string[];
  readonly digest: { readonly steps: number; readonly sha256: string };
  /** The types of the events in the log. */
  readonly types: ReadonlySet<string>;
  readonly story: readonly string[];
}

/** Runs one simulation: some seconds with faults, then a phase without faults in which the service must recover. */
export async function simulate(seed: number, config: Config): Promise<Report> {
  Logger.overrideLogger(false);
  const world = new World(seed, config);
  const { luck } = world;
  const readers = new Readers(world, luck.fork('readers'));
  const clients = new Clients(world, luck.fork('clients'), readers);
  const operators = new Operators(world, luck.fork('operators'));
  const weather = new Weather(world, luck.fork('weather'));
  world.begin(world.luck.whole(2, 3));
  clients.begin(ACTIVE_MS);
  readers.begin(ACTIVE_MS);
  operators.begin(ACTIVE_MS);
  weather.begin(ACTIVE_MS);
  world.glances.begin(ACTIVE_MS, luck.fork('glances'));
  await world.timeline.pass(ACTIVE_MS);
  await weather.end();
  await comeToRest(world, operators);
  return reportOf(seed, world, await findingsIn(world, { clients, readers, operators }));
}

async function comeToRest(world: World, operators: Operators): Promise<void> {
  const end = world.timeline.now + LONGEST_AFTERMATH_MS;
  while (world.timeline.now < end && (await restless(world)).length > 0) {
    world.replaceTheDead();
    await operators.settle();
    await world.timeline.pass(SLICE_MS);
  }
}

function reportOf(seed: number, { trace, stores }: World, findings: readonly string[]): Report {
  const types = new Set(stores.events.log.map(({ type }) => type));
  return { seed, findings, digest: trace.digest(), types, story: trace.story };
}
