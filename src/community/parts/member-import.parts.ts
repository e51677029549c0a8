import type { NounParts } from '../../engine/area-parts.js';
import { ImportMembersHandler } from '../commands/import.commands.js';
import { MemberImports } from '../commands/member-imports.steps.js';
import { ImportsController } from '../http/imports.controller.js';
import { FinishImports } from '../processes/finish-imports.js';
import { memberImports } from '../projections/member-imports.js';
import { RetrieveImportHandler } from '../queries/import.queries.js';

export const memberImportParts: NounParts = {
  controllers: [ImportsController],
  providers: [MemberImports, ImportMembersHandler, RetrieveImportHandler],
  projections: [memberImports],
  reactors: [FinishImports],
  jobs: [FinishImports],
};
