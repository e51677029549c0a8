import type { INestApplicationContext } from '@nestjs/common';
import { Option, type Command } from 'commander';
import { withoutHidden } from '../http/answer.js';
import type { Mode } from '../kernel/event.js';
import type { DeliveryDocument } from '../webhooks/projections/deliveries.js';
import { fields, table } from './table.js';
import { print, remark, withService, type Printing } from './toolbox.js';
import { command, group, limitOption } from './usage.js';

const SHOWN_DELIVERIES = 25;
const EXAMPLE_BUSINESS = 'biz_01h00000000000000000000000';
const EXAMPLE_DELIVERY = 'whd_01h0000000000000000000000001';

interface List extends Printing {
  readonly business: string;
  readonly mode: Mode;
  readonly failed?: boolean;
  readonly endpoint?: string;
  readonly limit: number;
}

export function deliveriesCommand(): Command {
  const example = `deliveries list --business ${EXAMPLE_BUSINESS} --failed`;
  return group('deliveries', 'list, show and replay webhook deliveries', example, [
    command('list', 'list the deliveries of a business, the newest first', example)
      .requiredOption('--business <id>', 'business that owns the delivered events')
      .addOption(new Option('--mode <mode>', 'mode of the data').choices(['live', 'test']).default('live'))
      .option('--failed', 'only deliveries that failed or were abandoned')
      .option('--endpoint <id>', 'only deliveries to this endpoint')
      .addOption(limitOption('maximum number of deliveries', SHOWN_DELIVERIES))
      .action(listDeliveries),
    command('show', 'show a delivery and every attempt of its delivery chain', `deliveries show ${EXAMPLE_DELIVERY}`)
      .argument('<delivery>', 'id of the delivery')
      .action(showDelivery),
    command('replay', 'send a delivery again, now', `deliveries replay ${EXAMPLE_DELIVERY}`)
      .argument('<delivery>', 'id of the delivery')
      .action(replayDelivery),
  ]);
}

async function listDeliveries({ business, mode, failed = false, endpoint, limit, json }: List): Promise<void> {
  const wanted = { business, mode, failed, endpoint: endpoint ?? null, limit };
  const found = await withAdmin((admin) => admin.list(wanted));
  print({ deliveries: found.map(withoutHidden) }, { json }, tableOf(found));
  if (found.length === limit) remark(`only the first ${limit} are shown; --limit shows more`);
}

async function showDelivery(id: string, { json }: Printing): Promise<void> {
  const { delivery, attempts, next_attempt_at } = await withAdmin((admin) => admin.show(id));
  const { endpoint, event_id, event_type, status, max_attempts } = delivery;
  print({ delivery: withoutHidden(delivery), attempts: attempts.map(withoutHidden), next_attempt_at }, { json }, [
    ...fields({ id, event_id, event_type, endpoint: endpoint.id, status, max_attempts, next_attempt_at }),
    ...tableOf(attempts),
  ]);
}

async function replayDelivery(id: string, { json }: Printing): Promise<void> {
  const delivery = await withAdmin((admin) => admin.replay(id));
  print({ delivery: withoutHidden(delivery) }, { json }, [rowOf(delivery).join('  ')]);
}

async function withAdmin<T>(work: (admin: DeliveryAdmin) => Promise<T>): Promise<T> {
  const { DeliveryAdmin } = await import('./delivery-admin.js');
  return withService((service: INestApplicationContext) => work(new DeliveryAdmin(service)));
}

type DeliveryAdmin = InstanceType<typeof import('./delivery-admin.js').DeliveryAdmin>;

function tableOf(deliveries: readonly DeliveryDocument[]): string[] {
  return table(['id', 'event', 'status', 'answer', 'attempt', 'endpoint', 'created'], deliveries.map(rowOf));
}

function rowOf({ id, event_type, status, response_status, attempt, endpoint, created_at }: DeliveryDocument): string[] {
  return [id, event_type, status, String(response_status ?? '-'), String(attempt), endpoint.id, created_at];
}
