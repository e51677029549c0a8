import type { Command } from 'commander';
import type { Verification } from '../../../engine/builds/verification.js';
import { CliError, type OutputOptions, print } from '../cli.js';
import { defineCommand, parsePositiveInteger } from '../command-builder.js';
import { formatTable } from '../format.js';
import { runInterruptible } from '../interruption.js';
import { withBuilds } from './with-builds.js';

interface VerifyOptions extends OutputOptions {
  readonly sample?: number;
}

export function defineVerifyCommand(): Command {
  return defineCommand(
    'verify',
    'compare documents with the result of their events in the log',
    'projections verify products --sample 1000',
  )
    .argument('<name>', 'name of the projection')
    .option('--sample <n>', 'compare about this many documents; by default all', parsePositiveInteger)
    .action(verifyProjection);
}

async function verifyProjection(projection: string, { sample, json }: VerifyOptions): Promise<void> {
  const found = await withBuilds([projection], (builds) =>
    runInterruptible((signal) => builds.verify(projection, { signal, ...(sample !== undefined && { sample }) })),
  );
  print({ verification: found }, { json }, formatVerification(found));
  requireNoDifference(found);
}

export function requireNoDifference({ build, documents, differences }: Verification): void {
  if (differences.length > 0)
    throw new CliError(`${build}: ${differences.length} of ${documents} documents differ from the log`);
}

function formatVerification({ build, documents, differences }: Verification): string[] {
  if (differences.length === 0) return [`${build}: ${documents} documents match the log`];
  return formatTable(
    ['document', 'difference'],
    differences.map(({ id, what, deadLetter: letter }) => [id, letter === undefined ? what : `${what} by ${letter}`]),
  );
}
