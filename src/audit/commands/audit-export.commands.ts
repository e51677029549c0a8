import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import {
  auditExportDecider,
  type ExportFilter,
  type ExportFormatName,
  type ExportRequest,
} from '../domain/audit-export.js';
import { type AuditExportDocument, auditExports } from '../projections/audit-exports.js';
import { ExistingExportSteps } from './existing-exports.steps.js';
import { ExportSlotSteps } from './export-slots.steps.js';

export class RequestExport extends ContextCommand<
  ExportFilter & { readonly format: ExportFormatName },
  AuditExportDocument
> {}

@CommandHandler(RequestExport)
export class RequestExportHandler implements ICommandHandler<RequestExport> {
  constructor(
    private readonly streams: Streams,
    private readonly slots: ExportSlotSteps,
    private readonly existing: ExistingExportSteps,
  ) {}

  async execute({ context, params }: RequestExport): Promise<AuditExportDocument> {
    const exportId = idOf('exp', context.at, context.commandId);
    const request = { exportId, businessId: requireBusiness(context), mode: context.mode, ...params };
    const existing = await this.findExisting(request, context);
    if (existing !== null) return existing;
    const claimSlot = async () => {
      await this.slots.claim(exportId, context);
      return { type: 'RequestExport', request } as const;
    };
    const outcome = await this.streams.execute(auditExportDecider, exportId, claimSlot, context);
    return outcome.render(auditExports, exportId);
  }

  /** Returns null also for a request that an earlier run has recorded: its export is the result. */
  private async findExisting(request: ExportRequest, context: Context): Promise<AuditExportDocument | null> {
    const isNew =
      !context.resumed || (await this.streams.loadState(auditExportDecider, request.exportId)).status === 'unknown';
    return isNew ? this.existing.find(request, context) : null;
  }
}

export class DeleteExport extends ContextCommand<{ id: string }, AuditExportDocument> {}

@CommandHandler(DeleteExport)
export class DeleteExportHandler implements ICommandHandler<DeleteExport> {
  constructor(
    private readonly streams: Streams,
    private readonly owned: OwnedStreams,
  ) {}

  /** Returns the export as it was before the deletion. */
  async execute({ context, params: { id } }: DeleteExport): Promise<AuditExportDocument> {
    await this.owned.require(auditExportDecider, id, context);
    const outcome = await this.streams.execute(auditExportDecider, id, { type: 'DeleteExport' }, context);
    const before = (await outcome.loadHistory()).filter(({ type }) => type !== 'AuditExportDeleted');
    return render(auditExports, id, before);
  }
}
