import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { DeadLetterDesk } from '../engine/projecting/dead-letter-desk.js';
import type { DeadLetter } from '../engine/projecting/dead-letters.js';
import { projectionNames, unknown } from './builds.js';
import { fields, table } from './table.js';
import { CannotDo, print, remark, withService, type Printing } from './toolbox.js';
import { command, group, limitOption } from './usage.js';

const SHOWN_LETTERS = 100;
const EXAMPLE_ID = 'products@1#1:prod_01h00000000000000000000000:0000000000000042';

interface List extends Printing {
  readonly projection?: string;
  readonly limit: number;
}

interface Skip extends Printing {
  readonly reason: string;
}

export function deadLettersCommand(): Command {
  return group('dead-letters', 'list, retry and skip events that a projection could not apply', 'dead-letters list', [
    command('list', 'list failed events and the later events that wait for them, newest first', 'dead-letters list --projection products')
      .option('--projection <name>', 'only dead letters of this projection, or of one build such as products@1#2')
      .addOption(limitOption('maximum number of dead letters', SHOWN_LETTERS))
      .action(listLetters),
    command('show', 'show one dead letter with its event and error', `dead-letters show ${EXAMPLE_ID}`)
      .argument('<id>', 'id of the dead letter')
      .action(showLetter),
    command('retry', 'apply the waiting events of its document again, in order', `dead-letters retry ${EXAMPLE_ID}`)
      .argument('<id>', 'id of the dead letter')
      .action(retryLetter),
    command(
      'skip',
      'exclude the event from its document in every build, permanently',
      `dead-letters skip ${EXAMPLE_ID} --reason "never was a product"`,
    )
      .argument('<id>', 'id of the dead letter')
      .requiredOption('--reason <reason>', 'reason for skipping the event; it is recorded')
      .action(skipLetter),
  ]);
}

async function listLetters({ projection, limit, json }: List): Promise<void> {
  const letters = await withLetters(async (desk, service) => {
    if (projection !== undefined) await checkName(projection, service);
    return desk.list({ ...(projection !== undefined && { projection }), limit });
  });
  print({ dead_letters: letters }, { json }, linesOf(letters));
  if (letters.length === limit) remark(`only the first ${limit} are shown; --limit shows more`);
}

async function showLetter(id: string, { json }: Printing): Promise<void> {
  const letter = await withLetters((desk) => found(desk, id));
  print({ dead_letter: letter }, { json }, fields({ ...letter, first: `${letter.first}`, retry: `${letter.retry}` }));
}

async function retryLetter(id: string, { json }: Printing): Promise<void> {
  await withLetters(async (desk) => tell(await desk.retry(await found(desk, id)), id, 'folded', { json }));
}

async function skipLetter(id: string, { reason, json }: Skip): Promise<void> {
  const { operatorContext } = await import('../identity/identity-context.js');
  const context = operatorContext(Date.now());
  await withLetters(async (desk) => tell(await desk.skip(await found(desk, id), reason, context), id, 'skipped', { json }));
}

async function withLetters<T>(work: (desk: DeadLetterDesk, service: INestApplicationContext) => Promise<T>): Promise<T> {
  const { DeadLetterDesk } = await import('../engine/projecting/dead-letter-desk.js');
  return withService((service) => work(service.get(DeadLetterDesk, { strict: false }), service));
}

async function checkName(projection: string, service: INestApplicationContext): Promise<void> {
  const names = await projectionNames(service);
  if (!names.has(projection.replace(/#.*/, ''))) throw unknown(projection, names);
}

async function found(desk: DeadLetterDesk, id: string): Promise<DeadLetter> {
  const letter = await desk.show(id);
  if (letter === null) throw new CannotDo(`there is no dead letter ${id}; "dead-letters list" shows the existing ones`);
  return letter;
}

/** Prints the outcome. The command succeeded when the dead letter was removed. */
function tell(left: DeadLetter | null, id: string, done: string, { json }: Printing): void {
  if (left !== null && !left.retry) throw new CannotDo(`${id} failed again: ${left.error}`);
  const status = left === null ? done : 'scheduled for a process that has the code of its build';
  print({ dead_letter: left, status }, { json }, [`${id} is ${status}`]);
}

function linesOf(letters: readonly DeadLetter[]): string[] {
  const rows = letters.map(({ id, created_at, type, stream, revision, error }) => [
    id,
    created_at,
    type,
    `${stream} at ${revision}`,
    error,
  ]);
  return table(['id', 'since', 'type', 'event', 'error'], rows);
}
