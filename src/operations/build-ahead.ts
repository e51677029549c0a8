import type { Command } from 'commander';
import { withBuilds } from './builds.js';
import { Interrupted, interruptible } from './interruption.js';
import { showing } from './progress.js';
import { CannotDo, print, type Printing } from './toolbox.js';
import { command } from './usage.js';

const DETAILS = `
Run it with the new release before its first start, while the old release serves. It creates a build for each projection version that
has no build yet, in one read of the log. The old release does not see these builds. The new one serves them as soon as they have caught up.`;

export function buildAheadCommand(): Command {
  return command('build-ahead', 'create the builds of this release while an older one runs', 'projections build-ahead')
    .addHelpText('after', DETAILS)
    .action(buildAhead);
}

async function buildAhead(options: Printing): Promise<void> {
  const { built, failed } = await withBuilds([], (builds) =>
    interruptible(async (signal) => {
      const head = (await builds.list())[0]?.head ?? '';
      try {
        return await showing('build-ahead', head, options, (onProgress) => builds.buildAhead({ onProgress, signal }));
      } catch (error) {
        if (signal.aborted) throw new Interrupted('stopped; run the same command again to continue from here');
        throw error;
      }
    }),
  );
  print({ built, failed }, options, built.length === 0 ? ['every projection of this release has a build'] : linesOf(built));
  if (failed.length > 0) throw new CannotDo(failed.map(({ projection, error }) => `${projection}: ${error}`).join('\n'));
}

function linesOf(built: readonly string[]): string[] {
  return built.map((build) => `${build} is ready for this release`);
}
