import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { removeHiddenFields } from '../../../http/server/api-response.js';
import { type Mode, MODES } from '../../../kernel/event.js';
import type { DocumentOf } from '../../../kernel/schema.js';
import type { deliverySchema } from '../../../webhooks/projections/deliveries.js';
import { CliError, type OutputOptions, print, printList, printToStderr, withService } from '../cli.js';
import { defineCommand, defineGroup, defineLimitOption } from '../command-builder.js';
import { formatFields, formatTable } from '../format.js';

const DEFAULT_LIMIT = 25;
const EXAMPLE_BUSINESS = 'biz_01h00000000000000000000000';
const EXAMPLE_DELIVERY = 'whd_01h0000000000000000000000001';

const REPLAY_HELP = `
The request leaves from this process, and not from the service: it uses the network of this machine, and WEBHOOK_ALLOW_HTTP,
WEBHOOK_ALLOW_CIDRS and the other variables of this command. To let the service send it, replay it in the console or by the API:
POST /v1/webhooks/deliveries/{id}/replay`;

interface ListOptions extends OutputOptions {
  readonly business: string;
  readonly mode: Mode;
  readonly failed?: boolean;
  readonly endpoint?: string;
  readonly limit: number;
}

export function defineDeliveriesCommand(): Command {
  const example = `deliveries list --business ${EXAMPLE_BUSINESS} --failed`;
  return defineGroup('deliveries', 'list, show and replay webhook deliveries', example, [
    defineCommand('list', 'list the deliveries of a business, the newest first', example)
      .requiredOption('--business <id>', 'business that owns the delivered events; "businesses list" shows the ids')
      .addOption(new Option('--mode <mode>', 'mode of the data').choices(MODES).default('live'))
      .option('--failed', 'only deliveries that failed or were abandoned')
      .option('--endpoint <id>', 'only deliveries to this endpoint')
      .addOption(defineLimitOption('maximum number of deliveries', DEFAULT_LIMIT))
      .action(listDeliveries),
    defineCommand(
      'show',
      'show a delivery and every attempt of its delivery chain',
      `deliveries show ${EXAMPLE_DELIVERY}`,
    )
      .argument('<delivery>', 'id of the delivery')
      .action(showDelivery),
    defineCommand(
      'replay',
      'send a delivery again, now and from this process; fails when the receiver does not accept it',
      `deliveries replay ${EXAMPLE_DELIVERY}`,
    )
      .argument('<delivery>', 'id of the delivery')
      .addHelpText('after', REPLAY_HELP)
      .action(replayDelivery),
  ]);
}

async function listDeliveries({ business, mode, failed = false, endpoint, limit, json }: ListOptions): Promise<void> {
  const selection = { business, mode, failed, endpoint: endpoint ?? null, limit };
  const found = await withDeliveryAdmin((admin) => admin.list(selection));
  const other = `--mode ${mode === 'live' ? 'test' : 'live'} shows those of the other mode`;
  const none = `no delivery in ${mode} mode matches; ${other}`;
  printList({ deliveries: found.map(removeHiddenFields) }, { json }, formatDeliveries(found), none);
  if (found.length > 0 && !json) printToStderr(`in ${mode} mode; ${other}`);
  if (found.length === limit) printToStderr(`only the first ${limit} are shown; --limit shows more`);
}

async function showDelivery(id: string, { json }: OutputOptions): Promise<void> {
  const { delivery, attempts, next_attempt_at } = await withDeliveryAdmin((admin) => admin.show(id));
  const { endpoint, event_id, event_type, status, max_attempts } = delivery;
  print(
    { delivery: removeHiddenFields(delivery), attempts: attempts.map(removeHiddenFields), next_attempt_at },
    { json },
    [
      ...formatFields({ id, event_id, event_type, endpoint: endpoint.id, status, max_attempts, next_attempt_at }),
      ...formatDeliveries(attempts),
    ],
  );
}

async function replayDelivery(id: string, { json }: OutputOptions): Promise<void> {
  const delivery = await withDeliveryAdmin((admin) => admin.replay(id));
  print({ delivery: removeHiddenFields(delivery) }, { json }, formatDeliveries([delivery]));
  if (delivery.failure !== null) throw new CliError(describeFailure(delivery.failure));
}

function describeFailure({ reason, detail }: NonNullable<Delivery['failure']>): string {
  const own = 'this command has its own environment: run it with the WEBHOOK_ALLOW_CIDRS of the service';
  return `the replay failed: ${detail}${reason === 'blocked_address' ? ` (${own})` : ''}`;
}

async function withDeliveryAdmin<T>(work: (admin: DeliveryAdmin) => Promise<T>): Promise<T> {
  const { DeliveryAdmin } = await import('./delivery-admin.js');
  return withService((service: INestApplicationContext) => work(new DeliveryAdmin(service)));
}

type DeliveryAdmin = InstanceType<typeof import('./delivery-admin.js').DeliveryAdmin>;

type Delivery = DocumentOf<typeof deliverySchema>;

function formatDeliveries(deliveries: readonly Delivery[]): string[] {
  return formatTable(
    ['id', 'event', 'status', 'answer', 'reason', 'attempt', 'endpoint', 'created'],
    deliveries.map(toRow),
  );
}

function toRow({
  id,
  event_type,
  status,
  response_status,
  failure,
  attempt,
  endpoint,
  created_at,
}: Delivery): string[] {
  const answer = String(response_status ?? '-');
  return [id, event_type, status, answer, failure?.reason ?? '-', String(attempt), endpoint.id, created_at];
}
