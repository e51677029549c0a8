import type { Command } from 'commander';
import type { DeadLetter } from '../../../engine/projections/dead-letter.js';
import type { DeadLetterOperator } from '../../operators/dead-letter-operator.js';
import { type OutputOptions, print, printList, printToStderr, withService } from '../cli.js';
import { defineCommand, defineGroup, defineLimitOption } from '../command-builder.js';
import { formatFields, formatTable } from '../format.js';

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
      defineCommand('list', 'list failed events, newest first', 'dead-letters list --projection products')
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
        'exclude a failed event from its document in every build, permanently',
        `dead-letters skip ${EXAMPLE_ID} --reason "never was a product"`,
      )
        .argument('<id>', 'id of the dead letter')
        .requiredOption('--reason <reason>', 'reason for skipping the event; it is recorded')
        .action(skipDeadLetter),
    ],
  );
}

async function listDeadLetters({ projection, limit, json }: ListOptions): Promise<void> {
  const deadLetters = await withDeadLetters((operator) => operator.list(projection, limit));
  printList({ dead_letters: deadLetters }, { json }, formatDeadLetters(deadLetters), 'there is no dead letter');
  if (deadLetters.length === limit) printToStderr(`only the first ${limit} are shown; --limit shows more`);
}

async function showDeadLetter(id: string, { json }: OutputOptions): Promise<void> {
  const deadLetter = await withDeadLetters((operator) => operator.get(id));
  print(
    { dead_letter: deadLetter },
    { json },
    formatFields({
      ...deadLetter,
      categories: deadLetter.categories.join(', '),
      blocking: `${deadLetter.blocking}`,
      retry: `${deadLetter.retry}`,
    }),
  );
}

async function retryDeadLetter(id: string, { json }: OutputOptions): Promise<void> {
  const outcome = await withDeadLetters((operator) => operator.retry(id));
  print(outcome, { json }, [`${id} is ${outcome.status}`]);
}

async function skipDeadLetter(id: string, { reason, json }: SkipOptions): Promise<void> {
  const outcome = await withDeadLetters((operator) => operator.skip(id, reason));
  print(outcome, { json }, [`${id} is ${outcome.status}`]);
}

async function withDeadLetters<T>(work: (operator: DeadLetterOperator) => Promise<T>): Promise<T> {
  const { createOperators } = await import('../../operators/create-operators.js');
  return withService((service) => work(createOperators(service).deadLetters));
}

function formatDeadLetters(deadLetters: readonly DeadLetter[]): string[] {
  const rows = deadLetters.map(({ id, created_at, type, stream, revision, events, error }) => [
    id,
    created_at,
    type,
    `${stream} at ${revision}`,
    `${events}`,
    error,
  ]);
  return formatTable(['id', 'since', 'type', 'event', 'events', 'error'], rows);
}
