import type { JobHandler, Reactor, Wiring } from '../../src/engine/registry.js';
import type { Streams } from '../../src/engine/streams/streams.js';
import { iso, type Clock } from '../../src/kernel/clock.js';
import { causedBy } from '../../src/kernel/context.js';
import { streamOf } from '../../src/kernel/decider.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { Jobs } from '../../src/kernel/jobs.js';
import { jar, jars } from '../support/jar.js';
import { newerJar, newerJars, newerUpcasters } from './newer-jar.js';
import { fussyJars } from './fussy-jars.js';

/** The jar that counts all coins, one command for each event, so a duplicate or missing reaction is visible. */
export const TOTAL = 'jar_total';
export const TOTAL_STREAM = streamOf(jar, TOTAL);
const POLISH_MS = 300;
const LEASE_MS = 1_000;

interface JarTools {
  readonly streams: Streams;
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Called for every job run. */
  readonly polished: (key: string) => void;
  /** Called for every event that the counting reactor gets. */
  readonly seen: (event: Recorded) => void;
  /** Whether the projection code that fails on some events is fixed. */
  readonly isMended: () => boolean;
  /** Whether the process runs the newer code. */
  readonly isNewer: boolean;
}

/**
 * Registers the jar with its projections, a reactor that sends commands, a reactor that enqueues jobs, and the job
 * handler.
 */
export function jarWiring(tools: JarTools): Wiring {
  const deciders = [jarOf(tools)];
  const upcasters = tools.isNewer ? newerUpcasters : {};
  return {
    deciders,
    upcasters,
    projections: tools.isNewer ? [newerJars, fussyJars(tools.isMended, newerJars)] : [jars, fussyJars(tools.isMended)],
    reactors: [countCoins(tools), polishCoins(tools)],
    jobs: [polishing(tools)],
  };
}

export function jarOf({ isNewer }: Pick<JarTools, 'isNewer'>): typeof jar {
  return isNewer ? newerJar : jar;
}

function countCoins({ streams, seen, isNewer }: JarTools): Reactor {
  return {
    name: 'count-coins',
    types: ['CoinsAdded'],
    react: async (event) => {
      seen(event);
      if (!isCounted(event)) return;
      const command = { type: 'AddCoins', jarId: TOTAL, coins: 1 } as const;
      await streams.execute(jarOf({ isNewer }), TOTAL, command, causedBy(event, 'count-coins'));
    },
  };
}

function polishCoins({ jobs }: JarTools): Reactor {
  return {
    name: 'polish-coins',
    types: ['CoinsAdded'],
    react: ({ id, meta }) => jobs.put([{ key: `polish:${id}`, queue: 'polishing', due: iso(Date.parse(meta.at)), data: {} }]),
  };
}

function polishing({ clock, polished }: JarTools): JobHandler {
  return {
    queue: 'polishing',
    concurrency: 4,
    leaseMs: LEASE_MS,
    run: async ({ key }) => {
      await clock.sleep(POLISH_MS);
      polished(key);
    },
  };
}

export function isCounted({ type, stream }: Recorded): boolean {
  return type === 'CoinsAdded' && stream !== TOTAL_STREAM;
}
