import { Command, Option } from 'commander';
import type { BuildOperator } from '../../../engine/builds/build-operator.js';
import { type OutputOptions, print } from '../cli.js';
import { defineCommand, defineGroup, parsePositiveInteger, requireNamesOrAll } from '../command-builder.js';
import { Interrupted, runInterruptible } from '../interruption.js';
import { defineBuildAheadCommand } from './build-ahead.js';
import { formatProjectionList, formatProjectionStatus } from './format-projections.js';
import { defineRebuildCommand } from './rebuild.js';
import { defineVerifyCommand } from './verify.js';
import { listCurrentNames, withBuilds } from './with-builds.js';

interface BuildOptions extends OutputOptions {
  readonly build?: number;
}

interface SelectionOptions extends OutputOptions {
  readonly all?: boolean;
}

export function defineProjectionsCommand(): Command {
  const build = new Option('--build <n>', 'number of the build, for example 2 for products@1#2').argParser(
    parsePositiveInteger,
  );
  return defineGroup('projections', 'list, rebuild, switch, pause and verify read models', 'projections list', [
    defineCommand('list', 'list all projections with their builds', 'projections list').action(listProjections),
    defineCommand(
      'status',
      'show one projection with its builds, or list all without a name',
      'projections status products',
    )
      .argument('[name]', 'name of the projection; products@1 names one version')
      .action(showStatus),
    defineRebuildCommand(),
    defineBuildAheadCommand(),
    defineSingleProjectionCommand(
      'switch',
      'switch reads to a build that is ready; by default the newest',
      switchBuild,
    ).addOption(build),
    defineSingleProjectionCommand('rollback', 'switch reads back to the previous build', rollBack),
    defineSingleProjectionCommand('drop', 'delete a build that reads do not use', dropBuild).addOption(build),
    defineMultiProjectionCommand(
      'pause',
      'stop updating projections in every process; reads continue',
      pauseProjections,
    ),
    defineMultiProjectionCommand('resume', 'continue updating paused projections', resumeProjections),
    defineVerifyCommand(),
    defineCommand(
      'rebuild-key',
      'rebuild one document in every build',
      'projections rebuild-key products prod_01h00000000000000000000000',
    )
      .argument('<name>', 'name of the projection')
      .argument('<key>', 'id of the document')
      .action(rebuildKey),
  ]);
}

function defineSingleProjectionCommand(
  name: string,
  description: string,
  action: (projection: string, options: BuildOptions) => Promise<void>,
): Command {
  return defineCommand(name, description, `projections ${name} products`)
    .argument('<name>', 'name of the projection; products@1 names one version')
    .action(action);
}

function defineMultiProjectionCommand(
  name: string,
  description: string,
  action: (projections: string[], options: SelectionOptions) => Promise<void>,
): Command {
  return defineCommand(name, description, `projections ${name} products`)
    .argument('[names...]', 'names of projections')
    .option('--all', 'all projections')
    .action(action);
}

async function listProjections({ json }: OutputOptions): Promise<void> {
  const projections = await withBuilds([], (builds) => builds.list());
  print({ projections }, { json }, formatProjectionList(projections));
}

async function showStatus(name: string | undefined, { json }: OutputOptions): Promise<void> {
  if (name === undefined) return listProjections({ json });
  const projection = await withBuilds([name], (builds) => builds.getStatus(name));
  print({ projection }, { json }, formatProjectionStatus(projection));
}

async function switchBuild(name: string, { build: n, json }: BuildOptions): Promise<void> {
  const { build } = await withBuilds([name], (builds) => builds.switch(name, n));
  print({ active: build }, { json }, [`reads use ${build}`]);
}

async function rollBack(name: string, { json }: OutputOptions): Promise<void> {
  const { build } = await withBuilds([name], (builds) => builds.rollback(name));
  print({ active: build }, { json }, [`reads use ${build} again`]);
}

async function dropBuild(name: string, { build: n, json }: BuildOptions): Promise<void> {
  const { builds } = await withBuilds([name], (operator) =>
    runInterruptible((signal) => dropOrStop(operator, name, n, signal)),
  );
  print({ dropped: builds }, { json }, [`${builds.join(', ')}: dropped`]);
}

/** Drops a build. Reads never use a build that is marked as dropped, so another process may finish the deletion. */
async function dropOrStop(operator: BuildOperator, name: string, n: number | undefined, signal: AbortSignal) {
  const dropped = await operator.drop(name, n, signal);
  if (signal.aborted)
    throw new Interrupted(
      `${name}: stopped; run the same command again to continue, or leave the deletion to a running service`,
    );
  return dropped;
}

async function pauseProjections(this: Command, names: string[], options: SelectionOptions): Promise<void> {
  const paused = await forEachProjection(requireNamesOrAll(this, names, options), (builds, name) => builds.pause(name));
  print({ paused }, options, [`paused: ${paused.join(', ')}`]);
}

async function resumeProjections(this: Command, names: string[], options: SelectionOptions): Promise<void> {
  const resumed = await forEachProjection(requireNamesOrAll(this, names, options), (builds, name) =>
    builds.resume(name),
  );
  print({ resumed }, options, [`resumed: ${resumed.join(', ')}`]);
}

/** @param names empty: every projection in the code */
async function forEachProjection(
  names: readonly string[],
  work: (builds: BuildOperator, name: string) => Promise<void>,
): Promise<readonly string[]> {
  return withBuilds(names, async (builds) => {
    const all = names.length > 0 ? names : await listCurrentNames(builds);
    for (const name of all) await work(builds, name);
    return all;
  });
}

async function rebuildKey(name: string, key: string, { json }: OutputOptions): Promise<void> {
  const { repaired } = await withBuilds([name], (builds) => builds.rebuildKey(name, key));
  const result =
    repaired.length === 0 ? `${key} matches the log` : `${key} was wrong and was rebuilt in ${repaired.join(', ')}`;
  print({ key, repaired }, { json }, [result]);
}
