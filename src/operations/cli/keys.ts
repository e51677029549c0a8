import { type Command, InvalidArgumentError, Option } from 'commander';
import { KEY_ACCESSES, type KeyAccess } from '../../identity/domain/api-key.js';
import type { ApiKeyDocument } from '../../identity/projections/api-keys.js';
import { type Mode, MODES } from '../../kernel/event.js';
import { type OutputOptions, print, printList } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';
import { createNameParser } from './text-arguments.js';
import { withAdmin } from './with-admin.js';

const EXAMPLE_BUSINESS = 'biz_01h00000000000000000000000';
const EXAMPLE_KEY = 'key_01h00000000000000000000000';
/** The same maxima as over HTTP. */
const MAX_OVERLAP_SECONDS = 604_800;
const MAX_NAME_CHARACTERS = 100;

interface CreateOptions extends OutputOptions {
  readonly business: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly name: string;
}

interface ListOptions extends OutputOptions {
  readonly business: string;
}

interface RotateOptions extends OutputOptions {
  readonly overlap: number;
}

export function defineKeysCommand(): Command {
  return defineGroup('keys', 'create, list, rotate and revoke API keys', `keys list --business ${EXAMPLE_BUSINESS}`, [
    defineCreateCommand(),
    defineListCommand(),
    defineRotateCommand(),
    defineRevokeCommand(),
  ]);
}

function defineCreateCommand(): Command {
  const example = `keys create --business ${EXAMPLE_BUSINESS} --mode live --access full --json`;
  return defineCommand('create', 'create an API key and print its secret once', example)
    .requiredOption('--business <id>', 'business that the key acts for')
    .addOption(new Option('--mode <mode>', 'data that the key reads and writes').choices(MODES).makeOptionMandatory())
    .addOption(
      new Option('--access <access>', 'operations that the key may call').choices(KEY_ACCESSES).makeOptionMandatory(),
    )
    .option('--name <name>', 'name of the key', createNameParser(MAX_NAME_CHARACTERS), 'Command line')
    .action(createKey);
}

function defineListCommand(): Command {
  const example = `keys list --business ${EXAMPLE_BUSINESS} --json`;
  return defineCommand('list', 'list the API keys of a business, including expired and revoked ones', example)
    .requiredOption('--business <id>', 'business whose keys are listed')
    .action(listKeys);
}

function defineRotateCommand(): Command {
  return defineCommand(
    'rotate',
    'replace an API key and print the new secret once',
    `keys rotate ${EXAMPLE_KEY} --overlap 3600 --json`,
  )
    .argument('<key>', 'id of the key')
    .option('--overlap <seconds>', 'seconds for which the old key still works, 0 to 604800', parseOverlapSeconds, 0)
    .action(rotateKey);
}

function defineRevokeCommand(): Command {
  return defineCommand('revoke', 'revoke an API key; it stops working within 5 s', `keys revoke ${EXAMPLE_KEY} --json`)
    .argument('<key>', 'id of the key')
    .action(revokeKey);
}

async function createKey({ business, mode, access, name, json }: CreateOptions): Promise<void> {
  const { key, secret } = await withAdmin((admin) => admin.createKey(business, mode, access, name));
  print({ key, secret }, { json }, [formatKey(key), secret!]);
}

async function listKeys({ business, json }: ListOptions): Promise<void> {
  const keys = await withAdmin((admin) => admin.listKeys(business));
  printList({ keys }, { json }, keys.map(formatKey), 'the business has no key');
}

async function rotateKey(keyId: string, { overlap, json }: RotateOptions): Promise<void> {
  const { key, secret } = await withAdmin((admin) => admin.rotateKey(keyId, overlap));
  print({ key, secret }, { json }, [formatKey(key), secret!]);
}

async function revokeKey(keyId: string, { json }: OutputOptions): Promise<void> {
  const key = await withAdmin((admin) => admin.revokeKey(keyId));
  print({ key }, { json }, [formatKey(key)]);
}

function formatKey({ id, mode, access, prefix, last4, name, expires_at, revoked_at }: ApiKeyDocument): string {
  const end = revoked_at !== null ? [`revoked ${revoked_at}`] : expires_at !== null ? [`expires ${expires_at}`] : [];
  return [id, mode, access, `${prefix}…${last4}`, name, ...end].join('  ');
}

function parseOverlapSeconds(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > MAX_OVERLAP_SECONDS)
    throw new InvalidArgumentError('It must be a whole number of seconds, 0 to 604800.');
  return value;
}
