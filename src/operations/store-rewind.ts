import { mustNotBeAhead } from '../engine/following/ahead.js';
import { Registry } from '../engine/registry.js';
import { rewind } from '../engine/rewinding.js';
import { SystemClock } from '../kernel/clock.js';
import { interruptible } from './interruption.js';
import { sourceOf } from './moving/moving.js';
import { whileNothingRuns } from './moving/stillness.js';
import { CannotDo, print, withService, type Printing } from './toolbox.js';

/** Adapts checkpoints and read models in MongoDB to a log that lost its last events in a restore. */
export async function rewindStore({ since, json }: Printing & { readonly since?: string }): Promise<void> {
  const from = since === undefined ? undefined : timeOf(since);
  const rewound = await withService((service) => {
    const { ports, reactors } = sourceOf(service);
    const { projections } = service.get(Registry, { strict: false });
    const work = () => rewind({ ...ports, clock: new SystemClock() }, { projections, reactors }, from);
    return interruptible(async (signal) => {
      const done = await whileNothingRuns(ports, reactors, signal, work);
      await mustNotBeAhead(ports);
      return done;
    });
  });
  const { head, reactors, building } = rewound;
  print({ rewind: { head, reactors, building } }, { json }, [
    `the log ends at ${head || 'its start'}; reactors continue from ${reactors || 'its start'}`,
    `the next start rebuilds ${building.length} projections`,
  ]);
}

function timeOf(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new CannotDo(`--since ${text}: expected a time such as 2026-02-01T09:00:00Z`);
  return time.toISOString();
}
