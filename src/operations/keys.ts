import { Command, Option } from 'commander';
import type { KeyAccess } from '../identity/domain/api-key.js';
import type { Mode } from '../kernel/event.js';
import { atDesk, print } from './toolbox.js';

interface CreateOptions {
  readonly business: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly name: string;
  readonly json?: boolean;
}

export function keysCommand(): Command {
  const create = new Command('create')
    .description('create an API key and print its secret, this once')
    .requiredOption('--business <id>', 'business that it acts for')
    .addOption(new Option('--mode <mode>', 'data that it sees').choices(['live', 'test']).makeOptionMandatory())
    .addOption(new Option('--access <access>', 'what it may do').choices(['full', 'read_only']).makeOptionMandatory())
    .option('--name <name>', 'name of the key', 'Command line')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  npm run ops -- keys create --business biz_01h00000000000000000000000 --mode live --access full --json',
    )
    .action(createKey);
  return new Command('keys')
    .description('API keys')
    .addCommand(create)
    .addHelpText('after', '\nExample:\n  npm run ops -- keys create --help');
}

async function createKey({ business, mode, access, name, json }: CreateOptions): Promise<void> {
  const { key, secret } = await atDesk((desk) => desk.createKey(business, mode, access, name));
  print({ key, secret }, { json }, [`${key.id}  ${key.mode}  ${key.access}`, secret]);
}
