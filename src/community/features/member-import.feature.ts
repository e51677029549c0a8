import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { ImportMembersHandler } from '../commands/import.commands.js';
import { MemberImports } from '../commands/member-imports.steps.js';
import { memberImportDecider } from '../domain/member-import.js';
import { ImportsController } from '../http/imports.controller.js';
import { FinishImports } from '../processes/finish-imports.js';
import { memberImports } from '../projections/member-imports.js';
import { RetrieveImportHandler } from '../queries/import.queries.js';

export const memberImportFeature: Feature = {
  streams: [auditStream(memberImportDecider, createAuditedResource('member_import', memberImports))],
  projections: [memberImports],
  controllers: [ImportsController],
  providers: [MemberImports, ImportMembersHandler, RetrieveImportHandler],
  reactors: [FinishImports],
  jobs: [FinishImports],
};
