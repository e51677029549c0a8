import type { Command } from 'commander';
import type { BuildOperator } from '../engine/builds/operator.js';
import { currentNames, withBuilds } from './builds.js';
import { Interrupted, interruptible } from './interruption.js';
import { showing, type Report } from './progress.js';
import { CannotDo, print, type Printing } from './toolbox.js';
import { command, namedOrAll } from './usage.js';

interface Options extends Printing {
  readonly all?: boolean;
  readonly switch: boolean;
}

interface Rebuilt {
  readonly projection: string;
  readonly build: string;
  readonly active: boolean;
}

interface Failed {
  readonly projection: string;
  readonly error: string;
}

export function rebuildCommand(): Command {
  return command('rebuild', 'create a new build from the log and switch reads to it', 'projections rebuild products deliveries')
    .argument('[names...]', 'names of projections')
    .option('--all', 'all projections')
    .option('--no-switch', 'do not switch reads to the new build; use "projections switch" later')
    .addHelpText('after', '\nReads are served during the rebuild. After Ctrl-C the same command continues where it stopped.')
    .action(rebuild);
}

async function rebuild(this: Command, names: string[], options: Options): Promise<void> {
  const wanted = namedOrAll(this, names, options);
  const [rebuilt, failed] = await withBuilds(wanted, async (builds) => {
    const all = wanted.length > 0 ? wanted : await currentNames(builds);
    return interruptible((signal) => oneByOne(builds, all, options, signal));
  });
  print(
    { rebuilt, failed },
    options,
    rebuilt.map(({ build, active }) => `${build} is ready${active ? ' and used by reads' : ''}`),
  );
  if (failed.length > 0) throw new CannotDo(failed.map(({ projection, error }) => `${projection}: ${error}`).join('\n'));
}

/** Rebuilds the projections one by one. A failed rebuild does not stop the others. */
async function oneByOne(
  builds: BuildOperator,
  names: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<[Rebuilt[], Failed[]]> {
  const [rebuilt, failed]: [Rebuilt[], Failed[]] = [[], []];
  for (const projection of names) {
    try {
      rebuilt.push(await rebuildOne(builds, projection, options, signal));
    } catch (error) {
      if (signal.aborted) throw new Interrupted(`${projection}: stopped; run the same command again to continue from here`);
      if (names.length === 1) throw error;
      failed.push({ projection, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return [rebuilt, failed];
}

async function rebuildOne(builds: BuildOperator, projection: string, options: Options, signal: AbortSignal): Promise<Rebuilt> {
  const { head } = await builds.status(projection);
  const run = (onProgress: Report) => builds.rebuild(projection, { switch: options.switch, onProgress, signal });
  const { build } = await showing(projection, head, options, run);
  const { active } = await builds.status(projection);
  return { projection, build, active: active === build };
}
