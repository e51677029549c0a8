import type { Command } from 'commander';
import type { Recorded } from '../kernel/event.js';
import type { EventStore } from '../kernel/event-store.js';
import { entryLines, entryOf } from './event-entry.js';
import { interruptible } from './interruption.js';
import { fields, oneLine, readable, table } from './table.js';
import { atStores, CannotDo, print, type Printing } from './toolbox.js';
import { command, group, limitOption, time } from './usage.js';

const SHOWN_EVENTS = 20;
const NAMED_STREAMS = 5;

interface Tail extends Printing {
  readonly follow?: boolean;
  readonly limit: number;
  readonly type?: string;
}

interface Search extends Printing {
  readonly type?: string;
  readonly resource?: string;
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
}

export function eventsCommand(): Command {
  return group('events', 'print, search and count recorded events; personal fields stay encrypted', 'events tail --follow', [
    tailCommand(),
    command('show', 'show one event with its data and metadata', 'events show 0199c3a4-6a1e-5d0f-9c3b-1f0e7a3b2c4d')
      .argument('<id>', 'id of the event')
      .action(showEvent),
    command('stream', 'list the events of one stream, oldest first', 'events stream product-prod_01h00000000000000000000000')
      .argument('<name>', 'name of the stream: category, dash, id')
      .action(showStream),
    searchCommand(),
    command('stats', 'count events by type and category', 'events stats').action(showStatistics),
  ]);
}

function tailCommand(): Command {
  return command('tail', 'print the last events', 'events tail --follow --type PlanChanged')
    .option('--follow', 'keep printing new events as JSON, one per line, until Ctrl-C')
    .addOption(limitOption('number of events to start with', SHOWN_EVENTS))
    .option('--type <type>', 'only events of this type')
    .action(tailEvents);
}

function searchCommand(): Command {
  return command(
    'search',
    'find the latest events that match every filter',
    'events search --type PlanChanged --since 2026-02-01 --limit 5',
  )
    .option('--type <type>', 'only events of this type')
    .option('--resource <id>', 'only events that name this resource')
    .option('--actor <id>', 'only events caused by this API key or user')
    .option('--since <time>', 'only events recorded at or after this ISO 8601 time', time)
    .addOption(limitOption('maximum number of events', SHOWN_EVENTS))
    .action(searchEvents);
}

async function tailEvents({ follow, limit, type, json }: Tail): Promise<void> {
  const { lastOf } = await import('./event-log.js');
  const matches = (event: { readonly type: string }) => type === undefined || event.type === type;
  await atStores(async ({ events }) => {
    if (!follow) return printEvents(await lastOf(events, matches, limit), { json });
    const head = await events.head();
    for (const event of await lastOf(events, (one) => one.position <= head && matches(one), limit)) printLine(event);
    await interruptible(async (signal) => {
      for await (const page of events.follow({ after: head }, signal)) page.events.filter(matches).forEach(printLine);
    });
  });
}

async function searchEvents({ type, resource, actor, since, limit, json }: Search): Promise<void> {
  const { lastOf, names } = await import('./event-log.js');
  const isNamed = resource === undefined ? () => true : names(resource);
  const matches = (event: Recorded) =>
    (type ?? event.type) === event.type && (actor ?? event.meta.actor.id) === event.meta.actor.id && isNamed(event);
  printEvents(await atStores(({ events }) => lastOf(events, matches, limit, since)), { json });
}

async function showEvent(id: string, { json }: Printing): Promise<void> {
  const { eventOf } = await import('./event-log.js');
  const event = await atStores(({ events }) => eventOf(events, id));
  if (event === null) throw new CannotDo(`there is no event ${id}`);
  const { data, actor, ...rest } = entryOf(event);
  const lines = [...fields({ ...rest, actor: `${actor.type} ${actor.id}` }), readable(data)];
  print({ event: entryOf(event) }, { json }, lines);
}

async function showStream(name: string, { json }: Printing): Promise<void> {
  const { historyOf } = await import('./event-log.js');
  const found = await atStores(async ({ events }) => {
    const recorded = await historyOf(events, name);
    if (recorded.length === 0) throw await noStream(name, events);
    return recorded;
  });
  printEvents(found, { json });
}

async function noStream(name: string, store: EventStore): Promise<CannotDo> {
  const { events } = await store.readAll({ backwards: true, limit: 10 * NAMED_STREAMS });
  const others = [...new Set(events.map(({ stream }) => stream))].slice(0, NAMED_STREAMS);
  return new CannotDo(`there is no stream ${name}${others.length > 0 ? `; the latest streams are ${others.join(', ')}` : ''}`);
}

async function showStatistics({ json }: Printing): Promise<void> {
  const [{ eachOf }, { EventStatistics }] = await Promise.all([import('./event-log.js'), import('./event-statistics.js')]);
  const statistics = new EventStatistics();
  await atStores(async ({ events }) => {
    const passedOver = (foreign: number) => (statistics.foreign += foreign);
    for await (const event of eachOf(events, { passedOver })) statistics.count(event);
  });
  const { categories, types, ...rest } = statistics.document;
  const ofCategories = categories.map(({ category, streams, events }) => [category, `${streams}`, `${events}`]);
  const ofTypes = types.map(({ type, events }) => [type, `${events}`]);
  const tables = [...table(['category', 'streams', 'events'], ofCategories), '', ...table(['type', 'events'], ofTypes)];
  print({ stats: statistics.document }, { json }, [...fields(rest), '', ...tables]);
}

function printEvents(events: readonly Recorded[], { json }: Printing): void {
  const entries = events.map(entryOf);
  print({ events: entries }, { json }, entryLines(entries));
}

function printLine(event: Recorded): void {
  console.log(oneLine(entryOf(event)));
}
