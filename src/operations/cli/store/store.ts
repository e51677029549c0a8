import { type Command, Option } from 'commander';
import type { StoreLocation } from '../../../stores/store-url.js';
import { loadConfig, type OutputOptions, print, printToStderr, withService } from '../cli.js';
import { defineCommand, defineGroup, parseTime } from '../command-builder.js';
import { backupStore, restoreStore } from './backup.js';
import { formatArchive } from './format-archive.js';

interface CopyTarget extends OutputOptions {
  readonly toDataDir?: string;
  readonly toEventStore?: string;
  readonly toMongodb?: string;
  readonly verify?: boolean;
}

const KEYS_NOTICE =
  'Keys are not copied. Start the service on the new store with the same MASTER_KEY and KEY_PEPPER, or copy master.key and pepper.key' +
  ' from the old data folder to the new one.';

const REWIND_HELP =
  'The next start rebuilds every projection. Webhooks and other reactors continue at the end of the log, or at --since. Effects that' +
  ' already happened are recognised and not repeated.';

export function defineStoreCommand(): Command {
  return defineGroup('store', 'check, back up, restore and move all data of the service', 'store doctor', [
    defineCommand(
      'doctor',
      'check durability, file, log, checkpoints, jobs, dead letters and builds',
      'store doctor',
    ).action(examineStore),
    defineCommand('backup', 'back up the embedded store; the service may run', 'store backup --out /backups/monday')
      .requiredOption('--out <dir>', 'folder to write the backup to')
      .action(backupStore),
    defineCommand('restore', 'restore a backup into an empty data folder', 'store restore --from /backups/monday')
      .requiredOption('--from <dir>', 'folder that "store backup" wrote')
      .addHelpText('after', '\nChanges made after the backup are lost. Webhooks sent after the backup are sent again.')
      .action(restoreStore),
    defineCommand(
      'reseal',
      'encrypt the vault with the current MASTER_KEY; the service may run',
      'store reseal',
    ).action(resealStore),
    defineCommand(
      'rewind',
      'adapt read models and checkpoints to a restored log; stop the service first',
      'store rewind',
    )
      .option(
        '--since <time>',
        'process events recorded at or after this ISO 8601 time again, to recover lost jobs',
        parseTime,
      )
      .addHelpText('after', `\n${REWIND_HELP}`)
      .action(rewindStore),
    defineCommand(
      'export',
      'export the log and all other data that cannot be rebuilt to a file; with external stores, stop the service first',
      'store export --out export.ndjson',
    )
      .requiredOption('--out <file>', 'file to create; it must not exist; only its owner can read it')
      .addHelpText(
        'after',
        `\n${KEYS_NOTICE}\nCtrl-C deletes the incomplete file; the next run starts from the beginning.`,
      )
      .action(exportStore),
    defineCommand('import', 'import an exported file into an empty store', 'store import --from export.ndjson')
      .requiredOption('--from <file>', 'file that "store export" wrote')
      .addHelpText(
        'after',
        `\n${KEYS_NOTICE}\nAfter Ctrl-C or a crash the same command continues where it stopped. No service starts on the store before the import has finished.`,
      )
      .action(importStore),
    defineCopyCommand(),
  ]);
}

function defineCopyCommand(): Command {
  return defineCommand(
    'copy',
    'copy this store into an empty one without a file; stop the services of both first',
    'store copy --to-data-dir /srv/data --verify',
  )
    .option('--to-data-dir <dir>', 'data folder of the embedded target store')
    .addOption(
      new Option('--to-event-store <url>', 'esdb:// URL of the target EventStoreDB, for the log').env(
        'COPY_TO_EVENT_STORE',
      ),
    )
    .addOption(
      new Option('--to-mongodb <url>', 'mongodb:// URL of the target MongoDB, for everything else').env(
        'COPY_TO_MONGODB',
      ),
    )
    .option('--verify', 'compare the two logs, build the read models in the target and compare them too')
    .addHelpText(
      'after',
      `\n${KEYS_NOTICE}\nPass a URL that contains a password in the variable, because other users of the machine can see command arguments.\n` +
        'After Ctrl-C or a crash the same command continues where it stopped.',
    )
    .action(copyStore);
}

async function examineStore(printing: OutputOptions): Promise<void> {
  await (await import('./doctor.js')).examineStore(printing);
}

async function resealStore(printing: OutputOptions): Promise<void> {
  await (await import('./reseal.js')).resealStore(printing);
}

async function rewindStore(options: OutputOptions & { readonly since?: number }): Promise<void> {
  await (await import('./rewind.js')).rewindStore(options);
}

async function exportStore({ out, json }: OutputOptions & { readonly out: string }): Promise<void> {
  const { exportToFile } = await import('../../migration/export.js');
  const { left_behind, ...written } = await withService((service) => exportToFile(out, service, { json }));
  print({ export: { ...written, left_behind } }, { json }, formatArchive(written));
  if (!json) [...left_behind, KEYS_NOTICE].forEach(printToStderr);
}

async function importStore(options: OutputOptions & { readonly from: string }): Promise<void> {
  await (await import('./import.js')).importStore(options);
}

async function copyStore(this: Command, { verify = false, json, ...to }: CopyTarget): Promise<void> {
  const target = await parseTarget(this, to);
  const config = loadConfig();
  const { copyToStore, verifyCopy } = await import('../../migration/copy.js');
  const { left_behind, ...copied } = await withService(
    (service) => copyToStore(service, { target, verify, json }),
    config,
  );
  const projections = verify ? await verifyCopy(target, config, { json }) : null;
  print({ copy: { ...copied, projections, left_behind } }, { json }, [
    copied.moved ? 'copied' : 'the target already contained the whole copy',
    ...(copied.events === null ? [] : [`${copied.events} events are the same in both logs`]),
    ...(projections ?? []).map(({ build, documents }) => `${build}: ${documents} documents match the log`),
  ]);
  if (!json) [...left_behind, KEYS_NOTICE].forEach(printToStderr);
}

async function parseTarget(
  command: Command,
  { toDataDir, toEventStore, toMongodb }: CopyTarget,
): Promise<StoreLocation> {
  const [{ isEventStoreUrl, parseMongoUrl, findEventStoreUrlProblem, findMongoUrlProblem }, { toStoreFile }] =
    await Promise.all([import('../../../stores/store-url.js'), import('../../../config/config.js')]);
  if (toDataDir !== undefined && toEventStore === undefined && toMongodb === undefined)
    return { file: toStoreFile(toDataDir) };
  if (toDataDir !== undefined || toEventStore === undefined || toMongodb === undefined)
    return command.error('error: missing target: use --to-data-dir, or --to-event-store and --to-mongodb');
  // The errors do not print the URLs, because both may contain a password.
  const logProblem = isEventStoreUrl(toEventStore)
    ? findEventStoreUrlProblem(toEventStore)
    : 'expected esdb:// and the address of EventStoreDB';
  if (logProblem !== null) return command.error(`error: --to-event-store cannot be used: ${logProblem}`);
  const mongoProblem = parseMongoUrl(toMongodb)
    ? findMongoUrlProblem(toMongodb)
    : 'expected mongodb:// and the address of MongoDB';
  if (mongoProblem !== null) return command.error(`error: --to-mongodb cannot be used: ${mongoProblem}`);
  return { eventStore: toEventStore, mongodb: toMongodb };
}
