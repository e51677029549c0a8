import { requireCheckpointsInLog } from '../../../engine/consumers/checkpoints-ahead.js';
import { Registry } from '../../../engine/registry.js';
import { rewind } from '../../../engine/rewind.js';
import { SystemClock, toIso } from '../../../kernel/clock.js';
import { withExclusiveAccess } from '../../migration/exclusive-access.js';
import { toSource } from '../../migration/export-reader.js';
import { type OutputOptions, print, withService } from '../cli.js';
import { runInterruptible } from '../interruption.js';

/** Adapts checkpoints and read models in MongoDB to a log that lost its last events in a restore. */
export async function rewindStore({ since, json }: OutputOptions & { readonly since?: number }): Promise<void> {
  const from = since === undefined ? undefined : toIso(since);
  const rewound = await withService((service) => {
    const source = toSource(service);
    const { ports, reactors } = source;
    const { projections } = service.get(Registry, { strict: false });
    const work = () => rewind({ ...ports, clock: new SystemClock() }, { projections, reactors }, from);
    return runInterruptible(async (signal) => {
      const done = await withExclusiveAccess(source, signal, work);
      await requireCheckpointsInLog(ports);
      return done;
    });
  });
  const { head, reactors, building } = rewound;
  print({ rewind: { head, reactors, building } }, { json }, [
    `the log ends at ${head || 'its start'}; reactors continue from ${reactors || 'its start'}`,
    `the next start rebuilds ${building.length} projections`,
  ]);
}
