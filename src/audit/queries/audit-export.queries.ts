import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Clock, DAY_MS } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';
import { ExportFiles, FILE_RETENTION_DAYS } from '../exports/export-files.js';
import { type AuditExportDocument, auditExports } from '../projections/audit-exports.js';

export interface ExportDownload {
  readonly format: AuditExportDocument['format'];
  readonly bytes: number;
  readonly text: AsyncGenerator<string>;
}

/** Returns the file of a completed export of the caller's business. */
export class DownloadExport extends ContextQuery<{ id: string }, ExportDownload> {}

@QueryHandler(DownloadExport)
export class DownloadExportHandler implements IQueryHandler<DownloadExport> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly files: ExportFiles,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `export_not_completed`; the 404 of an unknown id after the file was dropped or the store moved */
  async execute({ context, params: { id } }: DownloadExport): Promise<ExportDownload> {
    const { status, format, bytes, created_at } = await this.reader.getOwned(auditExports, id, context);
    if (status === 'failed') throw new Rejection('export_failed', 'The chain of the business does not fit the log.');
    if (status !== 'completed') throw new Rejection('export_not_completed', 'The export is not completed yet.');
    if (this.clock.now() - Date.parse(created_at) >= FILE_RETENTION_DAYS * DAY_MS) throw Rejection.notFound();
    if ((await this.files.findLast(id)) === null) throw Rejection.notFound();
    return { format, bytes: bytes!, text: this.files.read(id) };
  }
}
