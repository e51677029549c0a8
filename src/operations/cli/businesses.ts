import type { Command } from 'commander';
import type { BusinessDocument } from '../../identity/projections/businesses.js';
import { type OutputOptions, print, printList } from './cli.js';
import { defineCommand, defineGroup } from './command-builder.js';
import { formatTable } from './format.js';
import { createNameParser, parseEmail, parseSubject } from './text-arguments.js';
import { withAdmin } from './with-admin.js';

/** The same maximum as over HTTP. */
const MAX_NAME_CHARACTERS = 200;

interface CreateOptions extends OutputOptions {
  readonly name: string;
  readonly ownerSub: string;
  readonly ownerEmail?: string;
}

export function defineBusinessesCommand(): Command {
  const example = 'businesses create --name Acme --owner-sub ann --owner-email ann@example.com --json';
  const create = defineCommand('create', 'create a business and name its owner', example)
    .requiredOption('--name <name>', 'name of the business, 1 to 200 characters', createNameParser(MAX_NAME_CHARACTERS))
    .requiredOption('--owner-sub <sub>', 'subject (sub) of its owner', parseSubject)
    .option('--owner-email <email>', 'e-mail address of its owner', parseEmail)
    .action(createBusiness);
  const list = defineCommand('list', 'list all businesses, the newest first', 'businesses list --json').action(
    listBusinesses,
  );
  return defineGroup('businesses', 'create and list businesses', example, [create, list]);
}

async function listBusinesses({ json }: OutputOptions): Promise<void> {
  const businesses = await withAdmin((admin) => admin.listBusinesses());
  const rows = businesses.map(({ id, name, owner, created_at }: BusinessDocument) => [id, name, owner.id, created_at]);
  const lines = formatTable(['id', 'name', 'owner', 'created'], rows);
  printList({ businesses }, { json }, lines, 'the store has no business');
}

async function createBusiness({ name, ownerSub, ownerEmail, json }: CreateOptions): Promise<void> {
  const business = await withAdmin((admin) => admin.createBusiness(name, ownerSub, ownerEmail ?? null), {
    createsStore: true,
  });
  print({ business }, { json }, [`${business.id}  ${business.name}  owner ${business.owner.id}`]);
}
