import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../identity/caller.js';
import { idOf } from '../../kernel/ids.js';
import { auditExportDecider, type ExportFilter, type ExportFormatName } from '../domain/audit-export.js';
import { type AuditExportDocument, auditExports } from '../projections/audit-exports.js';

export class RequestExport extends ContextCommand<
  ExportFilter & { readonly format: ExportFormatName },
  AuditExportDocument
> {}

@CommandHandler(RequestExport)
export class RequestExportHandler implements ICommandHandler<RequestExport> {
  constructor(private readonly streams: Streams) {}

  async execute({ context, params }: RequestExport): Promise<AuditExportDocument> {
    const exportId = idOf('exp', context.at, context.commandId);
    const request = { exportId, businessId: requireBusiness(context), mode: context.mode, ...params };
    const command = { type: 'RequestExport', request } as const;
    const outcome = await this.streams.execute(auditExportDecider, exportId, command, context);
    return outcome.render(auditExports, exportId);
  }
}
