import type { Command } from 'commander';
import { readMeta } from '../../../kernel/unreadable-event.js';
import { CliError, type OutputOptions, print, printToStderr, withStores } from '../cli.js';
import { defineCommand, defineLimitOption, parseTime } from '../command-builder.js';
import { replaceControlCharacters } from '../format.js';
import type { CommandNode, EventNode } from './causation-tree.js';

const DEFAULT_LIMIT = 1_000;
const INDENT = '  ';

interface TraceOptions extends OutputOptions {
  readonly since?: number;
  readonly limit: number;
}

export function defineTraceCommand(): Command {
  return defineCommand(
    'trace',
    'show what a request caused: commands, events and deliveries, as a tree',
    'events trace 0199c3a4-6a1e-7d0f-9c3b-1f0e7a3b2c4d --since 2026-02-01',
  )
    .argument('<correlation>', 'correlation id of an event, which is the id of the first request')
    .option('--since <time>', 'only events recorded at or after this ISO 8601 time, which is faster', parseTime)
    .addOption(defineLimitOption('maximum number of events', DEFAULT_LIMIT))
    .action(traceCorrelation);
}

async function traceCorrelation(correlation: string, { since, limit, json }: TraceOptions): Promise<void> {
  const [{ findLatest }, { buildCausationTree }] = await Promise.all([
    import('./event-log.js'),
    import('./causation-tree.js'),
  ]);
  const events = await withStores((ports) =>
    findLatest(ports.events, (event) => readMeta(event)?.correlationId === correlation, limit, since),
  );
  if (events.length === 0) throw new CliError(`there is no event with the correlation id ${correlation}`);
  const commands = buildCausationTree(events);
  const trace = { correlation_id: correlation, events: events.length, commands };
  print(
    { trace },
    { json },
    [`request ${correlation}`, ...indent(commands.flatMap(formatCommand))].map(replaceControlCharacters),
  );
  if (events.length === limit) printToStderr(`only the last ${limit} events are shown; --limit shows more`);
}

function formatCommand({ command, id, actor, events, commands }: CommandNode): string[] {
  const line = `command ${command}  ${id}  ${actor.type} ${actor.id}`;
  return [line, ...indent([...events.flatMap(formatEvent), ...commands.flatMap(formatCommand)])];
}

function formatEvent({ type, stream, revision, recorded_at, delivery, commands }: EventNode): string[] {
  const line = `event ${type}  ${stream} at ${revision}  ${recorded_at}`;
  return [
    line,
    ...indent([...(delivery === null ? [] : [formatDelivery(delivery)]), ...commands.flatMap(formatCommand)]),
  ];
}

function formatDelivery({
  id,
  attempt,
  endpoint,
  status,
  response_status,
}: NonNullable<EventNode['delivery']>): string {
  return `delivery ${id}  attempt ${attempt} to ${endpoint}  ${status}  ${response_status ?? 'no response'}`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `${INDENT}${line}`);
}
