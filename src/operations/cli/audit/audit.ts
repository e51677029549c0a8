import { type Command, Option } from 'commander';
import { EXPORT_FORMATS } from '../../../audit/domain/audit-export.js';
import { MODES } from '../../../kernel/event.js';
import { type OutputOptions } from '../cli.js';
import { defineCommand, defineGroup, parseLastTime, parseTime } from '../command-builder.js';
import type { AuditExportOptions } from './audit-export.js';
import type { AuditVerifyOptions } from './audit-verify.js';

const EXAMPLE = 'audit verify';
const WITNESS_HELP =
  'A chain alone does not prove that nobody has rewritten the whole store. Keep checkpoints outside: "audit checkpoint --json".';
const RESUME_HELP = 'After Ctrl-C or a crash the same command continues.';

export function defineAuditCommand(): Command {
  return defineGroup('audit', 'verify, export and sign the change history', EXAMPLE, [
    defineCommand('verify', 'compute the hash chains again and compare them with what is stored and signed', EXAMPLE)
      .option('--file <file>', 'verify this export instead of the store; needs no service')
      .option('--manifest <file>', 'manifest of the export')
      .option('--public-key <key>', 'public key of the service in base64url; without it no signature is verified')
      .addHelpText('after', `\n${WITNESS_HELP}`)
      .action(verify),
    defineCommand(
      'export',
      'write the events of a business to a file, with a manifest beside it',
      'audit export --business biz_01h00000000000000000000000 --out history.ndjson',
    )
      .requiredOption('--business <id>', 'business to export')
      .requiredOption('--out <file>', 'file to create; it must not exist')
      .addOption(new Option('--format <format>', 'format of the file').choices(EXPORT_FORMATS).default('ndjson'))
      .addOption(new Option('--mode <mode>', 'mode of the events').choices(MODES).default('live'))
      .option('--since <time>', 'only events recorded at or after this ISO 8601 time', parseTime)
      .option('--until <time>', 'only events recorded at or before this ISO 8601 time', parseLastTime)
      .addHelpText('after', `\nPersonal fields stay encrypted. ${RESUME_HELP}`)
      .action(exportHistory),
    defineCommand('checkpoint', 'sign the heads of the hash chains', 'audit checkpoint --json')
      .option('--business <id>', 'only the chain of this business')
      .action(signCheckpoints),
  ]);
}

async function verify(this: Command, options: AuditVerifyOptions): Promise<void> {
  if ((options.file === undefined) !== (options.manifest === undefined))
    return this.error('error: use --file and --manifest together');
  if (options.publicKey !== undefined && options.file === undefined)
    return this.error('error: --public-key is for --file; the store holds its own key');
  const { verifyFile, verifyOpenStore } = await import('./audit-verify.js');
  await (options.file === undefined ? verifyOpenStore(options) : verifyFile(options));
}

async function exportHistory(this: Command, options: AuditExportOptions): Promise<void> {
  const { since, until } = options;
  if (since !== undefined && until !== undefined && since > until)
    return this.error('error: --since is later than --until');
  await (await import('./audit-export.js')).exportHistory(options);
}

async function signCheckpoints(options: OutputOptions & { readonly business?: string }): Promise<void> {
  await (await import('./audit-checkpoint.js')).signCheckpoints(options);
}
