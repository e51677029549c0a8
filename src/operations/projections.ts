import { Command, Option } from 'commander';
import type { BuildOperator } from '../engine/builds/operator.js';
import { buildAheadCommand } from './build-ahead.js';
import { currentNames, withBuilds } from './builds.js';
import { Interrupted, interruptible } from './interruption.js';
import { listLines, statusLines } from './projection-lines.js';
import { rebuildCommand } from './rebuild.js';
import { print, type Printing } from './toolbox.js';
import { command, fromOne, group, namedOrAll } from './usage.js';
import { verifyCommand } from './verify.js';

interface WithBuild extends Printing {
  readonly build?: number;
}

interface WithAll extends Printing {
  readonly all?: boolean;
}

export function projectionsCommand(): Command {
  const build = new Option('--build <n>', 'number of the build, for example 2 for products@1#2').argParser(fromOne);
  return group('projections', 'list, rebuild, switch, pause and verify read models', 'projections list', [
    command('list', 'list all projections with their builds', 'projections list').action(list),
    command('status', 'show one projection with its builds, or list all without a name', 'projections status products')
      .argument('[name]', 'name of the projection; products@1 names one version')
      .action(status),
    rebuildCommand(),
    buildAheadCommand(),
    ofOne('switch', 'switch reads to a build that is ready; by default the newest', switchTo).addOption(build),
    ofOne('rollback', 'switch reads back to the previous build', rollback),
    ofOne('drop', 'delete a build that reads do not use', drop).addOption(build),
    ofSeveral('pause', 'stop updating projections in every process; reads continue', pause),
    ofSeveral('resume', 'continue updating paused projections', resume),
    verifyCommand(),
    command('rebuild-key', 'rebuild one document in every build', 'projections rebuild-key products prod_01h00000000000000000000000')
      .argument('<name>', 'name of the projection')
      .argument('<key>', 'id of the document')
      .action(rebuildKey),
  ]);
}

function ofOne(name: string, description: string, action: (projection: string, options: WithBuild) => Promise<void>): Command {
  return command(name, description, `projections ${name} products`)
    .argument('<name>', 'name of the projection; products@1 names one version')
    .action(action);
}

function ofSeveral(name: string, description: string, action: (projections: string[], options: WithAll) => Promise<void>): Command {
  return command(name, description, `projections ${name} products`)
    .argument('[names...]', 'names of projections')
    .option('--all', 'all projections')
    .action(action);
}

async function list({ json }: Printing): Promise<void> {
  const projections = await withBuilds([], (builds) => builds.list());
  print({ projections }, { json }, listLines(projections));
}

async function status(name: string | undefined, { json }: Printing): Promise<void> {
  if (name === undefined) return list({ json });
  const projection = await withBuilds([name], (builds) => builds.status(name));
  print({ projection }, { json }, statusLines(projection));
}

async function switchTo(name: string, { build: n, json }: WithBuild): Promise<void> {
  const { build } = await withBuilds([name], (builds) => builds.switch(name, n));
  print({ active: build }, { json }, [`reads use ${build}`]);
}

async function rollback(name: string, { json }: Printing): Promise<void> {
  const { build } = await withBuilds([name], (builds) => builds.rollback(name));
  print({ active: build }, { json }, [`reads use ${build} again`]);
}

async function drop(name: string, { build: n, json }: WithBuild): Promise<void> {
  const { builds } = await withBuilds([name], (operator) => interruptible((signal) => dropOrStop(operator, name, n, signal)));
  print({ dropped: builds }, { json }, [`${builds.join(', ')}: dropped`]);
}

/** Drops a build. Reads never use a build that is marked as dropped, so another process may finish the deletion. */
async function dropOrStop(operator: BuildOperator, name: string, n: number | undefined, signal: AbortSignal) {
  const dropped = await operator.drop(name, n, signal);
  if (signal.aborted)
    throw new Interrupted(`${name}: stopped; run the same command again to continue, or leave the deletion to a running service`);
  return dropped;
}

async function pause(this: Command, names: string[], options: WithAll): Promise<void> {
  const paused = await onEach(namedOrAll(this, names, options), (builds, name) => builds.pause(name));
  print({ paused }, options, [`paused: ${paused.join(', ')}`]);
}

async function resume(this: Command, names: string[], options: WithAll): Promise<void> {
  const resumed = await onEach(namedOrAll(this, names, options), (builds, name) => builds.resume(name));
  print({ resumed }, options, [`resumed: ${resumed.join(', ')}`]);
}

/** @param names empty: every projection in the code */
async function onEach(names: readonly string[], work: (builds: BuildOperator, name: string) => Promise<void>): Promise<readonly string[]> {
  return withBuilds(names, async (builds) => {
    const all = names.length > 0 ? names : await currentNames(builds);
    for (const name of all) await work(builds, name);
    return all;
  });
}

async function rebuildKey(name: string, key: string, { json }: Printing): Promise<void> {
  const { repaired } = await withBuilds([name], (builds) => builds.rebuildKey(name, key));
  const said = repaired.length === 0 ? `${key} matches the log` : `${key} was wrong and was rebuilt in ${repaired.join(', ')}`;
  print({ key, repaired }, { json }, [said]);
}
