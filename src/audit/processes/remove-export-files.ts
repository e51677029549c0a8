import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createSystemContext } from '../../identity/system-context.js';
import { Clock, DAY_MS, toIso } from '../../kernel/clock.js';
import { ConsistencyContext, type Context, createChildContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import type { Position } from '../../kernel/position.js';
import { declareQueue } from '../../kernel/queue.js';
import { auditExportDecider, type AuditExportEvent } from '../domain/audit-export.js';
import { FILE_RETENTION_DAYS } from '../exports/export-files.js';
import { type AuditExportDocument, auditExports } from '../projections/audit-exports.js';
import { exportDrops } from './run-exports.js';

const PAGE_SIZE = 100;

type ExportEnded = Extract<
  AuditExportEvent,
  { type: 'AuditExportCompleted' | 'AuditExportFailed' | 'AuditExportFileRemoved' | 'AuditExportDeleted' }
>;

interface LimitJob {
  readonly business: string;
  /** The position of the completed export. */
  readonly position: Position;
  readonly eventId: string;
  readonly correlationId: string;
}

/** Limits the size of the kept files of each business, and enqueues the job that drops each removed file. */
@Injectable()
export class RemoveExportFiles implements Reactor<ExportEnded>, JobHandler<LimitJob> {
  readonly name = 'remove-export-files';
  readonly types = typesOf<ExportEnded>({
    AuditExportCompleted: true,
    AuditExportFailed: true,
    AuditExportFileRemoved: true,
    AuditExportDeleted: true,
  });
  readonly queue = declareQueue<LimitJob>({ name: 'audit-export-limits' });
  readonly needs = [auditExports];
  readonly concurrency = 1;

  constructor(
    private readonly reader: ReadModelReader,
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async react({ id: eventId, type, data: { exportId }, meta, position }: RecordedOf<ExportEnded>): Promise<void> {
    if (type === 'AuditExportCompleted') {
      const { correlationId } = meta;
      const data = { business: meta.business!, position, eventId, correlationId };
      const key = `audit-export-limit:${exportId}`;
      await this.jobs.enqueue([this.queue.createJob({ key, due: meta.at, data })]);
    } else {
      const key = `audit-export-removal:${eventId}`;
      await this.jobs.enqueue([exportDrops.createJob({ key, due: meta.at, data: { exportId } })]);
    }
  }

  /** Keeps the files of the newest exports that fit together. A repeated run removes none twice. */
  async run({ data: job }: Job<LimitJob>): Promise<void> {
    await this.reader.requirePosition(auditExports, job.position);
    const from = toIso(this.clock.now() - FILE_RETENTION_DAYS * DAY_MS);
    const where = { _business: job.business, _keepsFile: true, created_at: { from } };
    const newestFirst = { where, orderBy: 'created_at', limit: PAGE_SIZE } as const;
    let bytes = 0;
    for await (const slice of readSlices(this.reader, auditExports, newestFirst, new ConsistencyContext()))
      for (const kept of slice) {
        bytes += kept.bytes!;
        if (bytes > this.config.keptExportBytes) await this.remove(kept, job);
      }
  }

  private async remove({ id, _mode: mode }: AuditExportDocument, job: LimitJob): Promise<void> {
    const { business, eventId: causationId, correlationId } = job;
    const system = createSystemContext(this.clock.now(), causationId, { type: 'system', id: this.name });
    const context: Context = { ...system, business, mode, correlationId, causationId };
    await this.streams.execute(auditExportDecider, id, { type: 'RemoveExportFile' }, createChildContext(context, id));
  }
}
