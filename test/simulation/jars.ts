import type { JobHandler, Reactor, Registrations } from '../../src/engine/registry.js';
import type { Streams } from '../../src/engine/streams/streams.js';
import { type Clock, toIso } from '../../src/kernel/clock.js';
import { createEventContext } from '../../src/kernel/context.js';
import { streamOf } from '../../src/kernel/decider.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Jobs } from '../../src/kernel/jobs.js';
import { declareQueue } from '../../src/kernel/queue.js';
import { COINS_ADDED, type CoinsAdded, jar, jars } from '../support/jar.js';
import { createFailingJars } from './failing-jars.js';
import { newerJar, newerJars, newerUpcasters } from './newer-jar.js';

/** The jar that counts all coins, one command for each event, so a duplicate or missing reaction is visible. */
export const TOTAL = 'jar_total';
export const TOTAL_STREAM = streamOf(jar, TOTAL);
const POLISH_MS = 300;
const LEASE_MS = 1_000;

interface JarDependencies {
  readonly streams: Streams;
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Called for every job run. */
  readonly onPolished: (key: string) => void;
  /** Called for every event that the counting reactor gets. */
  readonly onSeen: (event: RecordedEvent) => void;
  /** Whether the projection code that fails on some events is fixed. */
  readonly isFixed: () => boolean;
  /** Whether the process runs the newer code. */
  readonly isNewer: boolean;
}

/**
 * Registers the jar with its projections, a reactor that sends commands, a reactor that enqueues jobs, and the job
 * handler.
 */
export function createJarRegistrations(tools: JarDependencies): Registrations {
  const deciders = [selectJarDecider(tools)];
  const upcasters = tools.isNewer ? newerUpcasters : {};
  return {
    deciders,
    upcasters,
    projections: tools.isNewer
      ? [newerJars, createFailingJars(tools.isFixed, newerJars)]
      : [jars, createFailingJars(tools.isFixed)],
    reactors: [createCountingReactor(tools), createPolishingReactor(tools)],
    jobs: [createPolishingHandler(tools)],
  };
}

export function selectJarDecider({ isNewer }: Pick<JarDependencies, 'isNewer'>): typeof jar {
  return isNewer ? newerJar : jar;
}

function createCountingReactor({ streams, onSeen, isNewer }: JarDependencies): Reactor<CoinsAdded> {
  return {
    name: 'count-coins',
    types: COINS_ADDED,
    react: async (event) => {
      onSeen(event);
      if (!isCounted(event)) return;
      const command = { type: 'AddCoins', jarId: TOTAL, coins: 1 } as const;
      await streams.execute(selectJarDecider({ isNewer }), TOTAL, command, createEventContext(event, 'count-coins'));
    },
  };
}

const polishing = declareQueue({ name: 'polishing' });

function createPolishingReactor({ jobs }: JarDependencies): Reactor<CoinsAdded> {
  return {
    name: 'polish-coins',
    types: COINS_ADDED,
    react: ({ id, meta }) =>
      jobs.enqueue([polishing.createJob({ key: `polish:${id}`, due: toIso(Date.parse(meta.at)), data: {} })]),
  };
}

function createPolishingHandler({ clock, onPolished }: JarDependencies): JobHandler<object> {
  return {
    queue: polishing,
    concurrency: 4,
    leaseMs: LEASE_MS,
    run: async ({ key }) => {
      await clock.sleep(POLISH_MS);
      onPolished(key);
    },
  };
}

export function isCounted({ type, stream }: RecordedEvent): boolean {
  return type === 'CoinsAdded' && stream !== TOTAL_STREAM;
}
