import type { Command } from 'commander';
import type { Verification } from '../engine/builds/verification.js';
import { withBuilds } from './builds.js';
import { interruptible } from './interruption.js';
import { table } from './table.js';
import { CannotDo, print, type Printing } from './toolbox.js';
import { command, fromOne } from './usage.js';

interface Options extends Printing {
  readonly sample?: number;
}

export function verifyCommand(): Command {
  return command('verify', 'compare documents with the result of their events in the log', 'projections verify products --sample 1000')
    .argument('<name>', 'name of the projection')
    .option('--sample <n>', 'compare about this many documents; by default all', fromOne)
    .action(verify);
}

async function verify(projection: string, { sample, json }: Options): Promise<void> {
  const found = await withBuilds([projection], (builds) =>
    interruptible((signal) => builds.verify(projection, { signal, ...(sample !== undefined && { sample }) })),
  );
  print({ verification: found }, { json }, linesOf(found));
  const wrong = found.differences.length;
  if (wrong > 0) throw new CannotDo(`${found.build}: ${wrong} of ${found.documents} documents differ from the log`);
}

function linesOf({ build, documents, differences }: Verification): string[] {
  if (differences.length === 0) return [`${build}: ${documents} documents match the log`];
  return table(
    ['document', 'difference'],
    differences.map(({ id, what, letter }) => [id, letter === undefined ? what : `${what} by ${letter}`]),
  );
}
