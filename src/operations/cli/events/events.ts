import type { Command } from 'commander';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { EventStore } from '../../../kernel/event-store.js';
import { readMeta } from '../../../kernel/unreadable-event.js';
import { CliError, type OutputOptions, print, printList, withStores } from '../cli.js';
import { defineCommand, defineGroup, defineLimitOption, parseTime } from '../command-builder.js';
import { formatFields, formatJson, formatJsonLine, formatTable } from '../format.js';
import { runInterruptible } from '../interruption.js';
import { formatActor, formatEvents, toEventEntry } from './format-event.js';
import { defineTraceCommand } from './trace.js';

const DEFAULT_LIMIT = 20;
const SUGGESTED_STREAMS = 5;

interface TailOptions extends OutputOptions {
  readonly follow?: boolean;
  readonly limit: number;
  readonly type?: string;
}

interface SearchOptions extends OutputOptions {
  readonly type?: string;
  readonly resource?: string;
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
}

export function defineEventsCommand(): Command {
  return defineGroup(
    'events',
    'print, search and count recorded events; personal fields stay encrypted',
    'events tail --follow',
    [
      defineTailCommand(),
      defineCommand(
        'show',
        'show one event with its data and metadata',
        'events show 0199c3a4-6a1e-5d0f-9c3b-1f0e7a3b2c4d',
      )
        .argument('<id>', 'id of the event')
        .action(showEvent),
      defineCommand(
        'stream',
        'list the events of one stream, oldest first',
        'events stream product-prod_01h00000000000000000000000',
      )
        .argument('<name>', 'name of the stream: category, dash, id')
        .action(showStream),
      defineSearchCommand(),
      defineTraceCommand(),
      defineCommand('stats', 'count events by type and category', 'events stats').action(showStatistics),
    ],
  );
}

function defineTailCommand(): Command {
  return defineCommand('tail', 'print the last events', 'events tail --follow --type PlanChanged')
    .option('--follow', 'keep printing new events as JSON, one per line, until Ctrl-C')
    .addOption(defineLimitOption('number of events to start with', DEFAULT_LIMIT))
    .option('--type <type>', 'only events of this type')
    .action(tailEvents);
}

function defineSearchCommand(): Command {
  return defineCommand(
    'search',
    'find the latest events that match every filter',
    'events search --type PlanChanged --since 2026-02-01 --limit 5',
  )
    .option('--type <type>', 'only events of this type')
    .option('--resource <id>', 'only events that name this resource')
    .option('--actor <id>', 'only events caused by this API key or user')
    .option('--since <time>', 'only events recorded at or after this ISO 8601 time', parseTime)
    .addOption(defineLimitOption('maximum number of events', DEFAULT_LIMIT))
    .action(searchEvents);
}

async function tailEvents({ follow, limit, type, json }: TailOptions): Promise<void> {
  const { findLatest } = await import('./event-log.js');
  const matches = (event: { readonly type: string }) => type === undefined || event.type === type;
  await withStores(async ({ events }) => {
    if (!follow) return printEvents(await findLatest(events, matches, limit), { json });
    const head = await events.readHead();
    for (const event of await findLatest(events, (one) => one.position <= head && matches(one), limit))
      printLine(event);
    await runInterruptible(async (signal) => {
      for await (const page of events.follow({ after: head }, signal)) page.events.filter(matches).forEach(printLine);
    });
  });
}

async function searchEvents({ type, resource, actor, since, limit, json }: SearchOptions): Promise<void> {
  const { findLatest, mentions } = await import('./event-log.js');
  const isMentioned = resource === undefined ? () => true : mentions(resource);
  const matches = (event: RecordedEvent) =>
    (type ?? event.type) === event.type &&
    (actor === undefined || actor === readMeta(event)?.actor.id) &&
    isMentioned(event);
  printEvents(await withStores(({ events }) => findLatest(events, matches, limit, since)), { json });
}

async function showEvent(id: string, { json }: OutputOptions): Promise<void> {
  const { findEvent } = await import('./event-log.js');
  const event = await withStores(({ events }) => findEvent(events, id));
  if (event === null) throw new CliError(`there is no event ${id}`);
  const { data, actor, ...rest } = toEventEntry(event);
  const lines = [...formatFields({ ...rest, actor: formatActor(actor) }), ...formatJson(data).split('\n')];
  print({ event: toEventEntry(event) }, { json }, lines);
}

async function showStream(name: string, { json }: OutputOptions): Promise<void> {
  const { readHistory } = await import('./event-log.js');
  const found = await withStores(async ({ events }) => {
    const recorded = await readHistory(events, name);
    if (recorded.length === 0) throw await toUnknownStreamError(name, events);
    return recorded;
  });
  printEvents(found, { json });
}

async function toUnknownStreamError(name: string, store: EventStore): Promise<CliError> {
  const { events } = await store.readAll({ backwards: true, limit: 10 * SUGGESTED_STREAMS });
  const others = [...new Set(events.map(({ stream }) => stream))].slice(0, SUGGESTED_STREAMS);
  return new CliError(
    `there is no stream ${name}${others.length > 0 ? `; the latest streams are ${others.join(', ')}` : ''}`,
  );
}

async function showStatistics({ json }: OutputOptions): Promise<void> {
  const [{ readLog }, { EventStatistics }] = await Promise.all([
    import('./event-log.js'),
    import('./event-statistics.js'),
  ]);
  const statistics = new EventStatistics();
  await withStores(async ({ events }) => {
    const onForeignEvents = (foreign: number) => (statistics.foreign += foreign);
    for await (const event of readLog(events, { onForeignEvents })) statistics.count(event);
  });
  const { categories, types, ...rest } = statistics.document;
  const categoryRows = categories.map(({ category, streams, events }) => [category, `${streams}`, `${events}`]);
  const typeRows = types.map(({ type, events }) => [type, `${events}`]);
  const tables = [
    ...formatTable(['category', 'streams', 'events'], categoryRows),
    '',
    ...formatTable(['type', 'events'], typeRows),
  ];
  print({ stats: statistics.document }, { json }, [...formatFields(rest), '', ...tables]);
}

function printEvents(events: readonly RecordedEvent[], { json }: OutputOptions): void {
  const entries = events.map(toEventEntry);
  printList({ events: entries }, { json }, formatEvents(entries), 'no event matches');
}

function printLine(event: RecordedEvent): void {
  console.log(formatJsonLine(toEventEntry(event)));
}
