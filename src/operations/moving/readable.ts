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
 * Builds the read models of another store from its log, and compares each document with the log.
 * @throws CliError when a document differs
 */
export function readableAt(at: StoresAt, config: Config, printing: Printing): Promise<Compared[]> {
  const work = (builds: BuildOperator) => interruptible((signal) => eachCompared(builds, printing, signal));
  return withBuilds([], work, elsewhere(config, at));
}

/** Returns the same configuration with the same keys, on other stores. */
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
          throw signal.aborted ? new Interrupted('stopped; run the same command again to continue') : error;
        },
      );
    const { build, documents, differences } = await builds.verify(name, { signal });
    if (differences.length > 0) throw new CannotDo(`${build}: ${differences.length} of ${documents} documents differ from the log`);
    compared.push({ build, documents });
  }
  return compared;
}
