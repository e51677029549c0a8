import type { Config } from '../../config.js';
import type { BuildOperator } from '../../engine/builds/operator.js';
import type { StoresAt } from '../../stores/address.js';
import { currentNames, withBuilds } from '../builds.js';
import { Interrupted, interruptible } from '../interruption.js';
import { showing } from '../progress.js';
import { CannotDo, type Printing } from '../toolbox.js';

export interface Compared {
  readonly build: string;
  readonly documents: number;
}

/**
 * Folds what is read from the log of another store, into that store, and holds each document against the log.
 * @throws CannotDo where one differs
 */
export function readableAt(at: StoresAt, config: Config, printing: Printing): Promise<Compared[]> {
  const work = (builds: BuildOperator) => interruptible((signal) => eachCompared(builds, printing, signal));
  return withBuilds([], work, elsewhere(config, at));
}

/** The same configuration, and the same keys, on other stores. */
function elsewhere(config: Config, stores: StoresAt): Config {
  return Object.create(config, { stores: { value: stores } }) as Config;
}

async function eachCompared(builds: BuildOperator, printing: Printing, signal: AbortSignal): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const name of await currentNames(builds)) {
    const { active, head } = await builds.status(name);
    if (active === null)
      await showing(name, head, printing, (onProgress) => builds.rebuild(name, { switch: true, onProgress, signal })).catch(
        (error: unknown) => {
          throw signal.aborted ? new Interrupted('stopped; the same command goes on') : error;
        },
      );
    const { build, documents, differences } = await builds.verify(name, { signal });
    if (differences.length > 0) throw new CannotDo(`${build}: ${differences.length} of ${documents} documents are not as the log tells`);
    compared.push({ build, documents });
  }
  return compared;
}
