import type { Command } from 'commander';
import { CliError, type OutputOptions, print } from '../cli.js';
import { defineCommand } from '../command-builder.js';
import { Interrupted, runInterruptible } from '../interruption.js';
import { showProgress } from '../progress-bar.js';
import { withBuilds } from './with-builds.js';

const HELP = `
Run it with the new release before its first start, while the old release serves. It creates a build for each projection version that
has no build yet, in one read of the log. The old release does not see these builds. The new one serves them as soon as they have caught up.`;

export function defineBuildAheadCommand(): Command {
  return defineCommand(
    'build-ahead',
    'create the builds of this release while an older one runs',
    'projections build-ahead',
  )
    .addHelpText('after', HELP)
    .action(buildAhead);
}

async function buildAhead(options: OutputOptions): Promise<void> {
  const { built, failed } = await withBuilds([], (builds) =>
    runInterruptible(async (signal) => {
      const head = (await builds.list())[0]?.head ?? '';
      try {
        return await showProgress('build-ahead', head, options, (onProgress) =>
          builds.buildAhead({ onProgress, signal }),
        );
      } catch (error) {
        if (signal.aborted) throw new Interrupted('stopped; run the same command again to continue from here');
        throw error;
      }
    }),
  );
  print(
    { built, failed },
    options,
    built.length === 0 ? ['every projection of this release has a build'] : formatBuilds(built),
  );
  if (failed.length > 0)
    throw new CliError(failed.map(({ projection, error }) => `${projection}: ${error}`).join('\n'));
}

function formatBuilds(built: readonly string[]): string[] {
  return built.map((build) => `${build} is ready for this release`);
}
