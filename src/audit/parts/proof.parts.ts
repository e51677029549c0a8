import type { NounParts } from '../../engine/area-parts.js';
import { SigningKey } from '../chain/signing-key.js';
import { ChainSigner } from '../chain-signer.js';
import { RequestExportHandler } from '../commands/audit-export.commands.js';
import { ExportFiles } from '../exports/export-files.js';
import { ExportRunner } from '../exports/export-runner.js';
import { ExportWriter } from '../exports/export-writer.js';
import { AuditChainController } from '../http/audit-chain.controller.js';
import { AuditExportsController } from '../http/audit-exports.controller.js';
import { DropExports, RunExports } from '../processes/run-exports.js';
import { SignCheckpoints } from '../processes/sign-checkpoints.js';
import { auditChains } from '../projections/audit-chains.js';
import { auditCheckpoints } from '../projections/audit-checkpoints.js';
import { auditExports } from '../projections/audit-exports.js';
import { RetrieveAuditChainHandler } from '../queries/audit-chain.queries.js';
import { DownloadExportHandler } from '../queries/audit-export.queries.js';

/** The hash chains, their signed checkpoints, and the exports. */
export const proofParts: NounParts = {
  controllers: [AuditChainController, AuditExportsController],
  providers: [
    SigningKey,
    ChainSigner,
    ExportFiles,
    ExportWriter,
    ExportRunner,
    RequestExportHandler,
    RetrieveAuditChainHandler,
    DownloadExportHandler,
  ],
  projections: [auditChains, auditCheckpoints, auditExports],
  reactors: [SignCheckpoints, RunExports],
  jobs: [SignCheckpoints, RunExports, DropExports],
};
