import type { Command } from 'commander';
import { atDesk, print, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

interface Create extends Printing {
  readonly name: string;
  readonly ownerSub: string;
  readonly ownerEmail?: string;
}

export function businessesCommand(): Command {
  const example = 'businesses create --name Acme --owner-sub ann --owner-email ann@example.com --json';
  const create = command('create', 'create a business, owned by the user of these session tokens', example)
    .requiredOption('--name <name>', 'name of the business, 1 to 200 characters')
    .requiredOption('--owner-sub <sub>', 'subject (sub) of its owner')
    .option('--owner-email <email>', 'address of its owner')
    .action(createBusiness);
  return group('businesses', 'businesses', 'businesses create --help', [create]);
}

async function createBusiness({ name, ownerSub, ownerEmail, json }: Create): Promise<void> {
  const business = await atDesk((desk) => desk.createBusiness(name, ownerSub, ownerEmail ?? null));
  print({ business }, { json }, [`${business.id}  ${business.name}  owner ${business.owner.id}`]);
}
