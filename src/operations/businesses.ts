import type { Command } from 'commander';
import type { BusinessDocument } from '../identity/projections/businesses.js';
import { table } from './table.js';
import { atDesk, print, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

interface Create extends Printing {
  readonly name: string;
  readonly ownerSub: string;
  readonly ownerEmail?: string;
}

export function businessesCommand(): Command {
  const example = 'businesses create --name Acme --owner-sub ann --owner-email ann@example.com --json';
  const create = command('create', 'create a business and name its owner', example)
    .requiredOption('--name <name>', 'name of the business, 1 to 200 characters')
    .requiredOption('--owner-sub <sub>', 'subject (sub) of its owner')
    .option('--owner-email <email>', 'e-mail address of its owner')
    .action(createBusiness);
  const list = command('list', 'list all businesses, the newest first', 'businesses list --json').action(listBusinesses);
  return group('businesses', 'create and list businesses', example, [create, list]);
}

async function listBusinesses({ json }: Printing): Promise<void> {
  const businesses = await atDesk((desk) => desk.businesses());
  const rows = businesses.map(({ id, name, owner, created_at }: BusinessDocument) => [id, name, owner.id, created_at]);
  print({ businesses }, { json }, table(['id', 'name', 'owner', 'created'], rows));
}

async function createBusiness({ name, ownerSub, ownerEmail, json }: Create): Promise<void> {
  const business = await atDesk((desk) => desk.createBusiness(name, ownerSub, ownerEmail ?? null));
  print({ business }, { json }, [`${business.id}  ${business.name}  owner ${business.owner.id}`]);
}
