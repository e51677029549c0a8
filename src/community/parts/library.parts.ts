import type { NounParts } from '../../engine/area-parts.js';
import { libraryHandlers } from '../commands/library.commands.js';
import { LibraryResources } from '../commands/library-resources.steps.js';
import { LibraryController } from '../http/library.controller.js';
import { LibraryAccess } from '../library-access.js';
import { libraryResources } from '../projections/library-resources.js';
import { libraryQueryHandlers } from '../queries/library.queries.js';

export const libraryParts: NounParts = {
  controllers: [LibraryController],
  providers: [LibraryAccess, LibraryResources, ...libraryHandlers, ...libraryQueryHandlers],
  projections: [libraryResources],
};
