import type { Command } from 'commander';
import type { BuildOperator } from '../../../engine/builds/build-operator.js';
import { CliError, type OutputOptions, print } from '../cli.js';
import { defineCommand, requireNamesOrAll } from '../command-builder.js';
import { Interrupted, runInterruptible } from '../interruption.js';
import { type ReportProgress, showProgress } from '../progress-bar.js';
import { listCurrentNames, withBuilds } from './with-builds.js';

interface RebuildOptions extends OutputOptions {
  readonly all?: boolean;
  readonly switch: boolean;
}

interface RebuildResult {
  readonly projection: string;
  readonly build: string;
  readonly active: boolean;
}

interface RebuildFailure {
  readonly projection: string;
  readonly error: string;
}

export function defineRebuildCommand(): Command {
  return defineCommand(
    'rebuild',
    'create a new build from the log and switch reads to it',
    'projections rebuild products deliveries',
  )
    .argument('[names...]', 'names of projections')
    .option('--all', 'all projections')
    .option('--no-switch', 'do not switch reads to the new build; use "projections switch" later')
    .addHelpText(
      'after',
      '\nReads are served during the rebuild. After Ctrl-C the same command continues where it stopped.',
    )
    .action(rebuildProjections);
}

async function rebuildProjections(this: Command, names: string[], options: RebuildOptions): Promise<void> {
  const wanted = requireNamesOrAll(this, names, options);
  const [rebuilt, failed] = await withBuilds(wanted, async (builds) => {
    const all = wanted.length > 0 ? wanted : await listCurrentNames(builds);
    return runInterruptible((signal) => rebuildEach(builds, all, options, signal));
  });
  print(
    { rebuilt, failed },
    options,
    rebuilt.map(({ build, active }) => `${build} is ready${active ? ' and used by reads' : ''}`),
  );
  if (failed.length > 0)
    throw new CliError(failed.map(({ projection, error }) => `${projection}: ${error}`).join('\n'));
}

/** Rebuilds the projections one by one. A failed rebuild does not stop the others. */
export async function rebuildEach(
  builds: BuildOperator,
  names: readonly string[],
  options: RebuildOptions,
  signal: AbortSignal,
): Promise<[RebuildResult[], RebuildFailure[]]> {
  const [rebuilt, failed]: [RebuildResult[], RebuildFailure[]] = [[], []];
  for (const projection of names) {
    try {
      rebuilt.push(await rebuildOne(builds, projection, options, signal));
    } catch (error) {
      if (signal.aborted)
        throw new Interrupted(`${projection}: stopped; run the same command again to continue from here`);
      if (names.length === 1) throw error;
      failed.push({ projection, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return [rebuilt, failed];
}

async function rebuildOne(
  builds: BuildOperator,
  projection: string,
  options: RebuildOptions,
  signal: AbortSignal,
): Promise<RebuildResult> {
  const { head } = await builds.getStatus(projection);
  const run = (onProgress: ReportProgress) =>
    builds.rebuild(projection, { switch: options.switch, onProgress, signal });
  const { build } = await showProgress(projection, head, options, run);
  const { active } = await builds.getStatus(projection);
  return { projection, build, active: active === build };
}
