import type { Config } from '../../config.js';
import type { BuildOperator } from '../../engine/builds/build-operator.js';
import type { StoreLocation } from '../../stores/store-url.js';
import { CliError, type OutputOptions } from '../cli/cli.js';
import { Interrupted, runInterruptible } from '../cli/interruption.js';
import { showProgress } from '../cli/progress-bar.js';
import { listCurrentNames, withBuilds } from '../cli/projections/with-builds.js';

export interface VerifiedBuild {
  readonly build: string;
  readonly documents: number;
}

/**
 * Builds the read models of another store from its log, and compares each document with the log.
 * @throws CliError when a document differs
 */
export function verifyCopy(target: StoreLocation, config: Config, printing: OutputOptions): Promise<VerifiedBuild[]> {
  const work = (builds: BuildOperator) => runInterruptible((signal) => verifyEach(builds, printing, signal));
  return withBuilds([], work, withStoresAt(config, target));
}

/** Returns the same configuration with the same keys, on other stores. */
function withStoresAt(config: Config, stores: StoreLocation): Config {
  return Object.create(config, { stores: { value: stores } }) as Config;
}

async function verifyEach(
  builds: BuildOperator,
  printing: OutputOptions,
  signal: AbortSignal,
): Promise<VerifiedBuild[]> {
  const verified: VerifiedBuild[] = [];
  for (const name of await listCurrentNames(builds)) {
    const { active, head } = await builds.getStatus(name);
    if (active === null)
      await showProgress(name, head, printing, (onProgress) =>
        builds.rebuild(name, { switch: true, onProgress, signal }),
      ).catch((error: unknown) => {
        throw signal.aborted ? new Interrupted('stopped; run the same command again to continue') : error;
      });
    const { build, documents, differences } = await builds.verify(name, { signal });
    if (differences.length > 0)
      throw new CliError(`${build}: ${differences.length} of ${documents} documents differ from the log`);
    verified.push({ build, documents });
  }
  return verified;
}
