import { InvalidArgumentError, Option, type Command } from 'commander';
import type { KeyAccess } from '../identity/domain/api-key.js';
import type { ApiKeyDocument } from '../identity/projections/api-keys.js';
import type { Mode } from '../kernel/event.js';
import { atDesk, print, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

const EXAMPLE_BUSINESS = 'biz_01h00000000000000000000000';
const EXAMPLE_KEY = 'key_01h00000000000000000000000';
/** The same maximum as over HTTP: contract, "Credentials". */
const MAX_OVERLAP_SECONDS = 604_800;

interface Create extends Printing {
  readonly business: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly name: string;
}

interface List extends Printing {
  readonly business: string;
}

interface Rotate extends Printing {
  readonly overlap: number;
}

export function keysCommand(): Command {
  return group('keys', 'create, list, rotate and revoke API keys', `keys list --business ${EXAMPLE_BUSINESS}`, [
    createCommand(),
    listCommand(),
    rotateCommand(),
    revokeCommand(),
  ]);
}

function createCommand(): Command {
  const example = `keys create --business ${EXAMPLE_BUSINESS} --mode live --access full --json`;
  return command('create', 'create an API key and print its secret once', example)
    .requiredOption('--business <id>', 'business that the key acts for')
    .addOption(new Option('--mode <mode>', 'data that the key reads and writes').choices(['live', 'test']).makeOptionMandatory())
    .addOption(new Option('--access <access>', 'operations that the key may call').choices(['full', 'read_only']).makeOptionMandatory())
    .option('--name <name>', 'name of the key', 'Command line')
    .action(createKey);
}

function listCommand(): Command {
  const example = `keys list --business ${EXAMPLE_BUSINESS} --json`;
  return command('list', 'list the API keys of a business, including expired and revoked ones', example)
    .requiredOption('--business <id>', 'business whose keys are listed')
    .action(listKeys);
}

function rotateCommand(): Command {
  return command('rotate', 'replace an API key and print the new secret once', `keys rotate ${EXAMPLE_KEY} --overlap 3600 --json`)
    .argument('<key>', 'id of the key')
    .option('--overlap <seconds>', 'seconds for which the old key still works, 0 to 604800', overlapSeconds, 0)
    .action(rotateKey);
}

function revokeCommand(): Command {
  return command('revoke', 'revoke an API key; it stops working within 5 s', `keys revoke ${EXAMPLE_KEY} --json`)
    .argument('<key>', 'id of the key')
    .action(revokeKey);
}

async function createKey({ business, mode, access, name, json }: Create): Promise<void> {
  const { key, secret } = await atDesk((desk) => desk.createKey(business, mode, access, name));
  print({ key, secret }, { json }, [lineOf(key), secret!]);
}

async function listKeys({ business, json }: List): Promise<void> {
  const keys = await atDesk((desk) => desk.keys(business));
  print({ keys }, { json }, keys.map(lineOf));
}

async function rotateKey(keyId: string, { overlap, json }: Rotate): Promise<void> {
  const { key, secret } = await atDesk((desk) => desk.rotateKey(keyId, overlap));
  print({ key, secret }, { json }, [lineOf(key), secret!]);
}

async function revokeKey(keyId: string, { json }: Printing): Promise<void> {
  const key = await atDesk((desk) => desk.revokeKey(keyId));
  print({ key }, { json }, [lineOf(key)]);
}

function lineOf({ id, mode, access, prefix, last4, name, expires_at, revoked_at }: ApiKeyDocument): string {
  const end = revoked_at !== null ? [`revoked ${revoked_at}`] : expires_at !== null ? [`expires ${expires_at}`] : [];
  return [id, mode, access, `${prefix}…${last4}`, name, ...end].join('  ');
}

function overlapSeconds(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > MAX_OVERLAP_SECONDS)
    throw new InvalidArgumentError('It must be a whole number of seconds, 0 to 604800.');
  return value;
}
