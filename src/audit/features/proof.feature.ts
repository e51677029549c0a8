import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { SigningKey } from '../chain/signing-key.js';
import { ChainSigner } from '../chain-signer.js';
import { DeleteExportHandler, RequestExportHandler } from '../commands/audit-export.commands.js';
import { ExistingExportSteps } from '../commands/existing-exports.steps.js';
import { ExportSlotSteps } from '../commands/export-slots.steps.js';
import { auditChainDecider } from '../domain/audit-chain.js';
import { auditExportDecider } from '../domain/audit-export.js';
import { exportSlotsDecider } from '../domain/export-slots.js';
import { ExportFiles } from '../exports/export-files.js';
import { ExportRunner } from '../exports/export-runner.js';
import { ExportWriter } from '../exports/export-writer.js';
import { AuditChainController } from '../http/audit-chain.controller.js';
import { AuditExportsController } from '../http/audit-exports.controller.js';
import { RemoveExportFiles } from '../processes/remove-export-files.js';
import { DropExports, RunExports } from '../processes/run-exports.js';
import { SignCheckpoints } from '../processes/sign-checkpoints.js';
import { auditChains } from '../projections/audit-chains.js';
import { auditCheckpoints } from '../projections/audit-checkpoints.js';
import { auditExports } from '../projections/audit-exports.js';
import { RetrieveAuditChainHandler } from '../queries/audit-chain.queries.js';
import { DownloadExportHandler } from '../queries/audit-export.queries.js';

const auditExport = createAuditedResource('audit_export', auditExports);

/** The hash chains, their signed checkpoints, and the exports. */
export const proofFeature: Feature = {
  streams: [
    auditStream(auditChainDecider, createAuditedResource('audit_chain')),
    auditStream(auditExportDecider, auditExport),
    auditStream(exportSlotsDecider, nameByKey(auditExport, 'exportId')),
  ],
  projections: [auditChains, auditCheckpoints, auditExports],
  controllers: [AuditChainController, AuditExportsController],
  providers: [
    SigningKey,
    ChainSigner,
    ExportFiles,
    ExportWriter,
    ExportRunner,
    ExportSlotSteps,
    ExistingExportSteps,
    RequestExportHandler,
    DeleteExportHandler,
    RetrieveAuditChainHandler,
    DownloadExportHandler,
  ],
  reactors: [SignCheckpoints, RunExports, RemoveExportFiles],
  jobs: [SignCheckpoints, RunExports, DropExports, RemoveExportFiles],
};
