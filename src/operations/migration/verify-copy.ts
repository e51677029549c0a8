import type { Config } from '../../config.js';
import type { BuildOperator } from '../../engine/builds/build-operator.js';
import type { StoreLocation } from '../../stores/store-url.js';
import type { OutputOptions } from '../cli/cli.js';
import { runInterruptible } from '../cli/interruption.js';
import { rebuildEach } from '../cli/projections/rebuild.js';
import { requireNoDifference } from '../cli/projections/verify.js';
import { listCurrentNames, withBuilds } from '../cli/projections/with-builds.js';

/**
 * Builds the read models of another store from its log, and compares each document with the log.
 * @throws CliError when a document differs
 */
export function verifyCopy(target: StoreLocation, config: Config, printing: OutputOptions) {
  const targetConfig = Object.create(config, { stores: { value: target } }) as Config;
  return withBuilds([], (builds) => runInterruptible((signal) => verifyEach(builds, printing, signal)), targetConfig);
}

async function verifyEach(builds: BuildOperator, printing: OutputOptions, signal: AbortSignal) {
  const verified: { readonly build: string; readonly documents: number }[] = [];
  for (const name of await listCurrentNames(builds)) {
    const { active } = await builds.getStatus(name);
    if (active === null) await rebuildEach(builds, [name], { ...printing, switch: true }, signal);
    const found = await builds.verify(name, { signal });
    requireNoDifference(found);
    verified.push({ build: found.build, documents: found.documents });
  }
  return verified;
}
