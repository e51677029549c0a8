import { Command, Option } from 'commander';
import type { KeyAccess } from '../identity/domain/api-key.js';
import type { ApiKeyDocument } from '../identity/projections/api-keys.js';
import type { Mode } from '../kernel/event.js';
import { atDesk, print } from './toolbox.js';

interface CreateOptions {
  readonly business: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly name: string;
  readonly json?: boolean;
}

interface ListOptions {
  readonly business: string;
  readonly json?: boolean;
}

export function keysCommand(): Command {
  return new Command('keys')
    .description('API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addHelpText('after', '\nExample:\n  npm run ops -- keys create --help');
}

function createCommand(): Command {
  return new Command('create')
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
}

function listCommand(): Command {
  return new Command('list')
    .description('list the API keys of a business, those that have ended too')
    .requiredOption('--business <id>', 'business that they act for')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run ops -- keys list --business biz_01h00000000000000000000000 --json')
    .action(listKeys);
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revoke an API key; it stops working within 5 s')
    .argument('<key>', 'id of the key')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run ops -- keys revoke key_01h00000000000000000000000 --json')
    .action(revokeKey);
}

async function createKey({ business, mode, access, name, json }: CreateOptions): Promise<void> {
  const { key, secret } = await atDesk((desk) => desk.createKey(business, mode, access, name));
  print({ key, secret }, { json }, [lineOf(key), secret!]);
}

async function listKeys({ business, json }: ListOptions): Promise<void> {
  const keys = await atDesk((desk) => desk.keys(business));
  print({ keys }, { json }, keys.map(lineOf));
}

async function revokeKey(keyId: string, { json }: { readonly json?: boolean }): Promise<void> {
  const key = await atDesk((desk) => desk.revokeKey(keyId));
  print({ key }, { json }, [lineOf(key)]);
}

function lineOf({ id, mode, access, prefix, last4, name, expires_at, revoked_at }: ApiKeyDocument): string {
  const end = revoked_at !== null ? [`revoked ${revoked_at}`] : expires_at !== null ? [`expires ${expires_at}`] : [];
  return [id, mode, access, `${prefix}…${last4}`, name, ...end].join('  ');
}
