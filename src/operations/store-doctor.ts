import { checkpointsAhead, placesInLog, positionsOf } from '../engine/following/ahead.js';
import { readEntries } from '../engine/builds/entries.js';
import { UNUSED_DAYS, unusedVersions } from '../engine/builds/retention.js';
import { DEAD_LETTERS, deadLettersShape } from '../engine/projecting/dead-letters.js';
import { Registry } from '../engine/registry.js';
import type { Recorded } from '../kernel/event.js';
import { collectionOf } from '../kernel/projection.js';
import { START, type Position } from '../kernel/position.js';
import type { Ports } from '../stores/ports.js';
import { roomIn } from './disk.js';
import { eachOf } from './event-log.js';
import { interruptible } from './interruption.js';
import { sourceOf, tellingPositions, until } from './moving/moving.js';
import { showing } from './progress.js';
import { table } from './table.js';
import { CannotDo, configured, print, withService, type Printing } from './toolbox.js';

interface Part {
  readonly status: 'green' | 'red';
  readonly detail: string;
}

type Look = () => Promise<string>;

/**
 * Checks the integrity of the store. The service may run. An unfinished import or other keys fail before the first
 * check.
 */
export async function examineStore({ json }: Printing): Promise<void> {
  const config = configured();
  const parts = await withService(async (service) => {
    const { ports, reactors } = sourceOf(service);
    const looks: Record<string, Look> = {
      durability: () => ports.durability(),
      ...('file' in config.stores && { file: lookThrough(config.stores.file), disk: () => roomIn(config.dataDir) }),
      log: () => logOf(ports, { json }),
      checkpoints: () => checkpointsOf(ports, reactors),
      jobs: () => parkedIn(ports),
      dead_letters: () => deadLettersIn(ports),
      builds: () => unusedIn(ports, service.get(Registry, { strict: false })),
    };
    return Object.fromEntries(await eachInTurn(looks));
  }, config);
  const red = Object.entries(parts).filter(([, { status }]) => status === 'red');
  const lines = table(
    ['part', 'status', 'detail'],
    Object.entries(parts).map(([name, { status, detail }]) => [name, status, detail]),
  );
  print({ doctor: { status: red.length === 0 ? 'green' : 'red', parts } }, { json }, lines);
  if (red.length > 0) throw new CannotDo(`red: ${red.map(([name]) => name).join(', ')}`);
}

async function eachInTurn(looks: Readonly<Record<string, Look>>): Promise<[string, Part][]> {
  const parts: [string, Part][] = [];
  for (const [name, look] of Object.entries(looks)) {
    const part = await look().then(
      (detail): Part => ({ status: 'green', detail }),
      (error: Error): Part => ({ status: 'red', detail: error.message }),
    );
    parts.push([name, part]);
  }
  return parts;
}

function lookThrough(file: string): Look {
  return async () => {
    const { lookThrough } = await import('../stores/embedded/backup.js');
    lookThrough(file);
    return 'the integrity check passed';
  };
}

/** Checks that every stream starts at revision 0 without a gap, and that positions increase. */
async function logOf({ events }: Ports, printing: Printing): Promise<string> {
  const head = await events.head();
  const log = new WholeLog();
  let foreign = 0;
  const passedOver = (events: number) => (foreign += events);
  await interruptible((signal) =>
    showing('log', head, printing, async (report) => {
      const passed = tellingPositions(report);
      for await (const event of until(signal, eachOf(events, { passedOver }))) {
        log.take(event);
        passed(event);
      }
    }),
  );
  const others = foreign === 0 ? '' : `; ${foreign} foreign events are skipped`;
  return `${log.events} events in ${log.streams} streams, without a gap${others}`;
}

class WholeLog {
  events = 0;
  private readonly revisions = new Map<string, number>();
  private last: Position = START;

  get streams(): number {
    return this.revisions.size;
  }

  /** @throws Error when the event does not continue its stream, or the log */
  take({ stream, revision, position }: Recorded): void {
    const expected = (this.revisions.get(stream) ?? -1) + 1;
    if (revision !== expected) throw new Error(`${stream} has revision ${revision} at ${position}, expected revision ${expected}`);
    if (position <= this.last) throw new Error(`${position} comes after ${this.last}`);
    this.revisions.set(stream, revision);
    this.last = position;
    this.events++;
  }
}

/** Checks that no checkpoint is ahead of the log. */
async function checkpointsOf({ models, events }: Ports, reactors: readonly string[]): Promise<string> {
  const names = [...new Set([...reactors, ...(await placesInLog(models))])];
  const positions = await positionsOf(names, models);
  const head = await events.head();
  const ahead = await checkpointsAhead(positions, head, { models, events });
  if (ahead.length > 0) throw new Error(`ahead of the end of the log: ${ahead.join(', ')}; run "store rewind"`);
  const behind = positions.filter(([name, position]) => reactors.includes(name) && position < head).length;
  return `${behind} of ${reactors.length} reactors lag, and no checkpoint is ahead of the log`;
}

async function parkedIn({ jobs }: Ports): Promise<string> {
  const parked = (await jobs.sizes()).reduce((sum, size) => sum + size.parked, 0);
  if (parked > 0) throw new Error(`parked jobs: ${parked} ("jobs list --status parked")`);
  return 'no job is parked';
}

async function deadLettersIn({ models }: Ports): Promise<string> {
  await models.prepare(DEAD_LETTERS, deadLettersShape);
  const letters = await models.count(DEAD_LETTERS, {});
  if (letters > 0) throw new Error(`dead letters: ${letters} ("dead-letters list")`);
  return 'no dead letters';
}

/** Checks for builds that use space although this release does not read them. */
async function unusedIn({ models }: Ports, { projections }: Registry): Promise<string> {
  const used = new Set(projections.map((projection) => collectionOf(projection)));
  const unused = unusedVersions(await readEntries(models), used).map(
    ([name, { usedAt }]) => `${name} (last used ${usedAt ?? 'at an unknown time'})`,
  );
  if (unused.length === 0) return 'every build has a version of this release';
  return `builds with versions of other releases: ${unused.join(', ')}; dropped after ${UNUSED_DAYS} days without use`;
}
