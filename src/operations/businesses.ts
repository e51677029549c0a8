import { Command } from 'commander';
import { print, atDesk } from './toolbox.js';

interface CreateOptions {
  readonly name: string;
  readonly ownerSub: string;
  readonly ownerEmail?: string;
  readonly json?: boolean;
}

export function businessesCommand(): Command {
  const create = new Command('create')
    .description('create a business, owned by the user of these session tokens')
    .requiredOption('--name <name>', 'name of the business, 1 to 200 characters')
    .requiredOption('--owner-sub <sub>', 'subject (sub) of its owner')
    .option('--owner-email <email>', 'address of its owner')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run ops -- businesses create --name Acme --owner-sub ann --owner-email ann@example.com --json')
    .action(createBusiness);
  return new Command('businesses')
    .description('businesses')
    .addCommand(create)
    .addHelpText('after', '\nExample:\n  npm run ops -- businesses create --help');
}

async function createBusiness({ name, ownerSub, ownerEmail, json }: CreateOptions): Promise<void> {
  const business = await atDesk((desk) => desk.createBusiness(name, ownerSub, ownerEmail ?? null));
  print({ business }, { json }, [`${business.id}  ${business.name}  owner ${business.owner.id}`]);
}
