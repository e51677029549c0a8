import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { DeadLetterAdmin } from '../../../engine/projections/dead-letter-admin.js';
import type { DeadLetter } from '../../../engine/projections/dead-letters.js';
import { CliError, type OutputOptions, print, printToStderr, withService } from '../cli.js';
import { defineCommand, defineGroup, defineLimitOption } from '../command-builder.js';
import { formatFields, formatTable } from '../format.js';
import { listProjectionNames, toUnknownProjectionError } from './with-builds.js';

const DEFAULT_LIMIT = 100;
const EXAMPLE_ID = 'products@1#1:prod_01h00000000000000000000000:0000000000000042';

interface ListOptions extends OutputOptions {
  readonly projection?: string;
  readonly limit: number;
}

interface SkipOptions extends OutputOptions {
  readonly reason: string;
}

export function defineDeadLettersCommand(): Command {
  return defineGroup(
    'dead-letters',
    'list, retry and skip events that a projection could not apply',
    'dead-letters list',
    [
      defineCommand(
        'list',
        'list failed events and the later events that wait for them, newest first',
        'dead-letters list --projection products',
      )
        .option('--projection <name>', 'only dead letters of this projection, or of one build such as products@1#2')
        .addOption(defineLimitOption('maximum number of dead letters', DEFAULT_LIMIT))
        .action(listDeadLetters),
      defineCommand('show', 'show one dead letter with its event and error', `dead-letters show ${EXAMPLE_ID}`)
        .argument('<id>', 'id of the dead letter')
        .action(showDeadLetter),
      defineCommand(
        'retry',
        'apply the waiting events of its document again, in order',
        `dead-letters retry ${EXAMPLE_ID}`,
      )
        .argument('<id>', 'id of the dead letter')
        .action(retryDeadLetter),
      defineCommand(
        'skip',
        'exclude the event from its document in every build, permanently',
        `dead-letters skip ${EXAMPLE_ID} --reason "never was a product"`,
      )
        .argument('<id>', 'id of the dead letter')
        .requiredOption('--reason <reason>', 'reason for skipping the event; it is recorded')
        .action(skipDeadLetter),
    ],
  );
}

async function listDeadLetters({ projection, limit, json }: ListOptions): Promise<void> {
  const deadLetters = await withDeadLetters(async (admin, service) => {
    if (projection !== undefined) await checkProjectionName(projection, service);
    return admin.list({ ...(projection !== undefined && { projection }), limit });
  });
  print({ dead_letters: deadLetters }, { json }, formatDeadLetters(deadLetters));
  if (deadLetters.length === limit) printToStderr(`only the first ${limit} are shown; --limit shows more`);
}

async function showDeadLetter(id: string, { json }: OutputOptions): Promise<void> {
  const deadLetter = await withDeadLetters((admin) => requireDeadLetter(admin, id));
  print(
    { dead_letter: deadLetter },
    { json },
    formatFields({ ...deadLetter, blocking: `${deadLetter.blocking}`, retry: `${deadLetter.retry}` }),
  );
}

async function retryDeadLetter(id: string, { json }: OutputOptions): Promise<void> {
  await withDeadLetters(async (admin) =>
    reportOutcome(await admin.retry(await requireDeadLetter(admin, id)), id, 'folded', { json }),
  );
}

async function skipDeadLetter(id: string, { reason, json }: SkipOptions): Promise<void> {
  const { createOperatorContext } = await import('../../../identity/system-context.js');
  const context = createOperatorContext(Date.now());
  await withDeadLetters(async (admin) =>
    reportOutcome(await admin.skip(await requireDeadLetter(admin, id), reason, context), id, 'skipped', { json }),
  );
}

async function withDeadLetters<T>(
  work: (admin: DeadLetterAdmin, service: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const { DeadLetterAdmin } = await import('../../../engine/projections/dead-letter-admin.js');
  return withService((service) => work(service.get(DeadLetterAdmin, { strict: false }), service));
}

async function checkProjectionName(projection: string, service: INestApplicationContext): Promise<void> {
  const names = await listProjectionNames(service);
  if (!names.has(projection.replace(/#.*/, ''))) throw toUnknownProjectionError(projection, names);
}

async function requireDeadLetter(admin: DeadLetterAdmin, id: string): Promise<DeadLetter> {
  const deadLetter = await admin.get(id);
  if (deadLetter === null)
    throw new CliError(`there is no dead letter ${id}; "dead-letters list" shows the existing ones`);
  return deadLetter;
}

/** Prints the outcome. The command succeeded when the dead letter was removed. */
function reportOutcome(remaining: DeadLetter | null, id: string, done: string, { json }: OutputOptions): void {
  if (remaining !== null && !remaining.retry) throw new CliError(`${id} failed again: ${remaining.error}`);
  const status = remaining === null ? done : 'scheduled for a process that has the code of its build';
  print({ dead_letter: remaining, status }, { json }, [`${id} is ${status}`]);
}

function formatDeadLetters(deadLetters: readonly DeadLetter[]): string[] {
  const rows = deadLetters.map(({ id, created_at, type, stream, revision, error }) => [
    id,
    created_at,
    type,
    `${stream} at ${revision}`,
    error,
  ]);
  return formatTable(['id', 'since', 'type', 'event', 'error'], rows);
}
