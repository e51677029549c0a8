import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Clock, DAY_MS } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';
import type { ExportError } from '../domain/audit-export.js';
import { ExportFiles, FILE_RETENTION_DAYS } from '../exports/export-files.js';
import { type AuditExportDocument, auditExports } from '../projections/audit-exports.js';

export interface ExportDownload {
  readonly format: AuditExportDocument['format'];
  readonly bytes: number;
  readonly text: AsyncGenerator<string>;
}

const FAILURES: Readonly<Record<ExportError, string>> = {
  chain_mismatch: 'The chain of the business does not fit the log.',
  file_too_large: 'The file is larger than all kept files of a business may be. Export a shorter range.',
};

/** Returns the file of a completed export of the caller's business. */
export class DownloadExport extends ContextQuery<{ id: string }, ExportDownload> {}

@QueryHandler(DownloadExport)
export class DownloadExportHandler implements IQueryHandler<DownloadExport> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly files: ExportFiles,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `export_not_completed`; the 404 of an unknown id after the file was removed or the store moved */
  async execute({ context, params: { id } }: DownloadExport): Promise<ExportDownload> {
    const { status, error, format, bytes, created_at, file_removed_at } = await this.reader.getOwned(
      auditExports,
      id,
      context,
    );
    if (status === 'failed') throw new Rejection('export_failed', FAILURES[error!]);
    if (status !== 'completed') throw new Rejection('export_not_completed', 'The export is not completed yet.');
    if (file_removed_at !== null) throw Rejection.notFound();
    if (this.clock.now() - Date.parse(created_at) >= FILE_RETENTION_DAYS * DAY_MS) throw Rejection.notFound();
    if ((await this.files.findLast(id)) === null) throw Rejection.notFound();
    return { format, bytes: bytes!, text: this.files.read(id) };
  }
}
