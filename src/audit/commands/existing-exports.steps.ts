import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, DAY_MS } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { MODES } from '../../kernel/event.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import { auditExportDecider, type ExportRequest } from '../domain/audit-export.js';
import { ExportFiles, FILE_RETENTION_DAYS } from '../exports/export-files.js';
import { AuditIndex } from '../history/audit-index.js';
import { type AuditExportDocument, auditExports, filterIdOf } from '../projections/audit-exports.js';

/** The events of an export itself: a chain with only these after a checkpoint counts as unchanged. */
const OWN_RESOURCES: readonly string[] = ['audit_export', 'audit_chain'];
/** With more events after the checkpoint the request creates a new export. */
const MAX_EVENTS = 100;

/** Finds the export that a repeated request asks for. */
@Injectable()
export class ExistingExportSteps {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly streams: Streams,
    private readonly index: AuditIndex,
    private readonly files: ExportFiles,
    private readonly clock: Clock,
  ) {}

  /** Returns the newest export of the same events, if nothing has been recorded since; else null. */
  async find(request: ExportRequest, context: Context): Promise<AuditExportDocument | null> {
    const where = { ...toOwnerFilter(context), _filter: filterIdOf(request) };
    const [newest] = await this.reader.find(auditExports, where, 1, context.consistency);
    if (newest === undefined) return null;
    const found = await this.streams.loadDocument(auditExportDecider, newest.id, auditExports);
    if (found === null || !(await this.isUsable(found))) return null;
    return (await this.isHead(await this.findPosition(found), context)) ? found : null;
  }

  private async isUsable({ id, status, created_at, file_removed_at }: AuditExportDocument): Promise<boolean> {
    const age = this.clock.now() - Date.parse(created_at);
    if (status === 'failed' || file_removed_at !== null || age >= FILE_RETENTION_DAYS * DAY_MS) return false;
    return status !== 'completed' || (await this.files.findLast(id)) !== null;
  }

  /** An export that has not started covers at least the events before its request. */
  private async findPosition({ id, _checkpoint }: AuditExportDocument): Promise<Position> {
    if (_checkpoint !== null) return _checkpoint.position;
    const [requested] = await this.streams.loadHistory(auditExportDecider, id);
    return requested!.position;
  }

  /** Both modes share the chain of the business. */
  private async isHead(position: Position, context: Context): Promise<boolean> {
    await this.index.readHead();
    const query = { where: { position: { from: position } }, ascending: true, limit: MAX_EVENTS };
    const slices = await Promise.all(MODES.map((mode) => this.index.findSlice({ ...context, mode }, query)));
    return slices.every(
      ({ documents, next }) =>
        next === null &&
        documents.every((entry) => entry.position <= position || OWN_RESOURCES.includes(entry.resource.object)),
    );
  }
}
