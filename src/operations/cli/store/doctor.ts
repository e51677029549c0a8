import { readEntries } from '../../../engine/builds/catalogue.js';
import { findUnusedVersions, UNUSED_DAYS } from '../../../engine/builds/retention.js';
import {
  findCheckpointsAhead,
  listLogCheckpoints,
  readPositions,
} from '../../../engine/consumers/checkpoints-ahead.js';
import { DEAD_LETTERS, deadLettersSchema } from '../../../engine/projections/dead-letters.js';
import { Registry } from '../../../engine/registry.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { type Position, START } from '../../../kernel/position.js';
import { collectionOf } from '../../../kernel/projection.js';
import { assertKnownVersion, upcast } from '../../../kernel/upcasting.js';
import type { Ports } from '../../../stores/ports.js';
import { checkFreeSpace } from '../../health/disk-space.js';
import { toSource } from '../../migration/export-reader.js';
import { observe } from '../../migration/migration.js';
import { CliError, loadConfig, type OutputOptions, print, withService } from '../cli.js';
import { readLog } from '../events/event-log.js';
import { formatTable } from '../format.js';
import { runInterruptible } from '../interruption.js';
import { showProgress } from '../progress-bar.js';

interface DoctorPart {
  readonly status: 'green' | 'red';
  readonly detail: string;
}

/** Projections that a line names. */
const MAX_NAMES = 3;

type Check = () => Promise<string>;

/**
 * Checks the integrity of the store. The service may run. An unfinished import or other keys fail before the first
 * check.
 */
export async function examineStore({ json }: OutputOptions): Promise<void> {
  const config = loadConfig();
  const parts = await withService(async (service) => {
    const { ports, reactors } = toSource(service);
    const checks: Record<string, Check> = {
      durability: () => ports.checkDurability(),
      ...('file' in config.stores && {
        file: createFileCheck(config.stores.file),
        disk: () => checkFreeSpace(config.dataDir, config.minFreeDiskMegabytes),
      }),
      log: () => checkLog(ports, service.get(Registry, { strict: false }), { json }),
      checkpoints: () => checkCheckpoints(ports, reactors),
      jobs: () => checkParkedJobs(ports),
      dead_letters: () => checkDeadLetters(ports),
      builds: () => checkBuilds(ports, service.get(Registry, { strict: false })),
    };
    return Object.fromEntries(await runChecks(checks));
  }, config);
  const red = Object.entries(parts).filter(([, { status }]) => status === 'red');
  const lines = formatTable(
    ['part', 'status', 'detail'],
    Object.entries(parts).map(([name, { status, detail }]) => [name, status, detail]),
  );
  print({ doctor: { status: red.length === 0 ? 'green' : 'red', parts } }, { json }, lines);
  if (red.length > 0) throw new CliError(`red: ${red.map(([name]) => name).join(', ')}`);
}

async function runChecks(checks: Readonly<Record<string, Check>>): Promise<[string, DoctorPart][]> {
  const parts: [string, DoctorPart][] = [];
  for (const [name, check] of Object.entries(checks)) {
    const part = await check().then(
      (detail): DoctorPart => ({ status: 'green', detail }),
      (error: Error): DoctorPart => ({ status: 'red', detail: error.message }),
    );
    parts.push([name, part]);
  }
  return parts;
}

function createFileCheck(file: string): Check {
  return async () => {
    const { checkIntegrity } = await import('../../../stores/embedded/backup.js');
    checkIntegrity(file);
    return 'the integrity check passed';
  };
}

/**
 * Checks that every stream starts at revision 0 without a gap, that positions increase, and that this release can read
 * every event.
 */
async function checkLog({ events }: Ports, registry: Registry, printing: OutputOptions): Promise<string> {
  const head = await events.readHead();
  const log = new LogIntegrity(registry);
  let foreign = 0;
  const onForeignEvents = (events: number) => (foreign += events);
  await runInterruptible((signal) =>
    showProgress('log', head, printing, async (report) => {
      for await (const event of observe(readLog(events, { onForeignEvents }), signal, report)) log.add(event);
    }),
  );
  const others = foreign === 0 ? '' : `; ${foreign} foreign events are skipped`;
  return `${log.events} events in ${log.streams} streams, without a gap${others}`;
}

class LogIntegrity {
  events = 0;
  private readonly revisions = new Map<string, number>();
  private last: Position = START;

  constructor(private readonly registry: Registry) {}

  get streams(): number {
    return this.revisions.size;
  }

  /** @throws Error when the event does not continue its stream, or the log */
  add(event: RecordedEvent): void {
    const { stream, revision, position } = event;
    const expected = (this.revisions.get(stream) ?? -1) + 1;
    if (revision !== expected)
      throw new Error(`${stream} has revision ${revision} at ${position}, expected revision ${expected}`);
    if (position <= this.last) throw new Error(`${position} comes after ${this.last}`);
    this.revisions.set(stream, revision);
    this.requireReadable(event);
    this.last = position;
    this.events++;
  }

  /** @throws Error when this release cannot decode the event */
  private requireReadable(event: RecordedEvent): void {
    try {
      assertKnownVersion(event, this.registry.versions);
      void upcast(event, this.registry.upcasters).data;
    } catch (error) {
      const { message } = error as Error;
      throw new Error(message.includes(event.position) ? message : `${message}, at position ${event.position}`, {
        cause: error,
      });
    }
  }
}

/** Checks that no checkpoint is ahead of the log. */
async function checkCheckpoints({ models, checkpoints, events }: Ports, reactors: readonly string[]): Promise<string> {
  const names = [...new Set([...reactors, ...(await listLogCheckpoints(checkpoints))])];
  const positions = await readPositions(names, checkpoints);
  const head = await events.readHead();
  const ahead = await findCheckpointsAhead(positions, head, { models, events });
  if (ahead.length > 0) throw new Error(`ahead of the end of the log: ${ahead.join(', ')}; run "store rewind"`);
  const lagging = positions.filter(([name, position]) => reactors.includes(name) && position < head).length;
  return `${lagging} of ${reactors.length} reactors lag, and no checkpoint is ahead of the log`;
}

async function checkParkedJobs({ jobs }: Ports): Promise<string> {
  const parked = (await jobs.readQueueStats()).reduce((sum, size) => sum + size.parked, 0);
  if (parked > 0) throw new Error(`parked jobs: ${parked} ("jobs list --status parked")`);
  return 'no job is parked';
}

async function checkDeadLetters({ models }: Ports): Promise<string> {
  await models.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  const letters = await models.count(DEAD_LETTERS, {});
  if (letters > 0) throw new Error(`dead letters: ${letters} ("dead-letters list")`);
  return 'no dead letters';
}

/**
 * Checks that this release can read every projection, and lists builds that use space although it reads none of them.
 * Before the first start of a service there are no builds.
 */
async function checkBuilds({ catalogue }: Ports, { projections }: Registry): Promise<string> {
  const entries = await readEntries(catalogue);
  const used = new Set(projections.map((projection) => collectionOf(projection)));
  const missing = [...used].filter((name) => (entries.get(name)?.active ?? null) === null);
  const hasServed = [...used].some((name) => entries.has(name));
  if (hasServed && missing.length > 0)
    throw new Error(
      `projections without an active build: ${describeNames(missing)}; start the service, or run "projections build-ahead"`,
    );
  const unused = findUnusedVersions(entries, used).map(
    ([name, { usedAt }]) => `${name} (last used ${usedAt ?? 'at an unknown time'})`,
  );
  if (unused.length === 0) return 'every build has a version of this release';
  return `builds with versions of other releases: ${unused.join(', ')}; dropped after ${UNUSED_DAYS} days without use`;
}

function describeNames(names: readonly string[]): string {
  const others = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
