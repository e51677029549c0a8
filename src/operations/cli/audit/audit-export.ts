import { createWriteStream, existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RequestExport } from '../../../audit/commands/audit-export.commands.js';
import { auditExportDecider, type ExportFormatName } from '../../../audit/domain/audit-export.js';
import { ExportFiles } from '../../../audit/exports/export-files.js';
import { ExportRunner } from '../../../audit/exports/export-runner.js';
import { type AuditExportDocument, auditExports } from '../../../audit/projections/audit-exports.js';
import { Streams } from '../../../engine/streams/streams.js';
import { createOperatorContext } from '../../../identity/system-context.js';
import { toIso } from '../../../kernel/clock.js';
import type { Mode } from '../../../kernel/event.js';
import { EventStore } from '../../../kernel/event-store.js';
import { CliError, type OutputOptions, print, withService } from '../cli.js';
import { formatFields } from '../format.js';
import { Interrupted, runInterruptible } from '../interruption.js';
import { type ReportProgress, showProgress } from '../progress-bar.js';
import { requireBusinessId } from '../require-business.js';

export interface AuditExportOptions extends OutputOptions {
  readonly business: string;
  readonly out: string;
  readonly format: ExportFormatName;
  readonly mode: Mode;
  readonly since?: number;
  readonly until?: number;
}

/** Exports the history of a business to a file. An interrupted export is named in a file beside it. */
export async function exportHistory(options: AuditExportOptions): Promise<void> {
  const { out, json } = options;
  if (existsSync(out)) throw new CliError(`${out} exists already`);
  const { manifest, bytes } = await withService((service) =>
    runInterruptible((signal) => runExport(options, service, signal)),
  );
  const manifest_file = `${out}.manifest.json`;
  const { count, sha256, chain } = manifest!;
  const lines = formatFields({ file: out, manifest: manifest_file, events: count, bytes, sha256, head: chain.head });
  print({ export: { file: out, manifest_file, bytes, manifest } }, { json }, lines);
}

async function runExport(options: AuditExportOptions, service: INestApplicationContext, signal: AbortSignal) {
  const { out, business, mode } = options;
  await requireBusinessId(business, service);
  const exportId = await resumeOrRequest(options, service);
  const head = await service.get(EventStore, { strict: false }).readHead();
  await showProgress('export', head, options, (report) =>
    runSteps(exportId, { business, mode }, service, signal, report),
  );
  const streams = service.get(Streams, { strict: false });
  const done = (await streams.loadDocument(auditExportDecider, exportId, auditExports))!;
  if (done.manifest === null) throw new CliError(`${exportId} failed: the log does not fit the hash chain`);
  await writeFiles(out, done, service);
  return done;
}

async function resumeOrRequest(options: AuditExportOptions, service: INestApplicationContext): Promise<string> {
  const { out, business, mode, format, since, until } = options;
  const marker = toMarker(out);
  if (existsSync(marker)) return (await readFile(marker, 'utf8')).trim();
  const context = { ...createOperatorContext(Date.now()), business, mode };
  const filter = {
    recordedFrom: since === undefined ? null : toIso(since),
    recordedTo: until === undefined ? null : toIso(until),
    types: [],
    resource: null,
  };
  const { id } = await service
    .get(CommandBus, { strict: false })
    .execute<RequestExport, AuditExportDocument>(new RequestExport(context, { format, ...filter }));
  await writeFile(marker, `${id}\n`);
  return id;
}

async function runSteps(
  exportId: string,
  owner: { readonly business: string; readonly mode: Mode },
  service: INestApplicationContext,
  signal: AbortSignal,
  report: ReportProgress,
): Promise<void> {
  const [runner, files] = [service.get(ExportRunner, { strict: false }), service.get(ExportFiles, { strict: false })];
  const began = performance.now();
  const context = { ...createOperatorContext(Date.now()), ...owner };
  while (!(await runner.runStep(exportId, context))) {
    if (signal.aborted) throw new Interrupted('stopped; run the same command again to continue');
    await files.prepare(exportId);
    const last = await files.findLast(exportId);
    if (last === null) continue;
    const seconds = (performance.now() - began) / 1_000;
    report({ events: last.end.count, perSecond: Math.round(last.end.count / seconds), position: last.end.position });
  }
}

/** The file appears under its name only when it is complete. */
async function writeFiles(out: string, done: AuditExportDocument, service: INestApplicationContext): Promise<void> {
  const partial = `${out}.partial`;
  const text = service.get(ExportFiles, { strict: false }).read(done.id);
  await pipeline(Readable.from(text), createWriteStream(partial, { mode: 0o600 }));
  await writeFile(`${out}.manifest.json`, `${JSON.stringify(done.manifest, null, 2)}\n`);
  await rename(partial, out);
  await rm(toMarker(out), { force: true });
}

function toMarker(out: string): string {
  return `${out}.export-id`;
}
