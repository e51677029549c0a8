import { Injectable } from '@nestjs/common';
import { type CountedProjection, CountedStreams } from '../../engine/read-models/counted-streams.js';
import type { Context } from '../../kernel/context.js';
import { type LibraryResourceCommand, libraryResourceDecider } from '../domain/library-resource.js';
import { type LibraryResourceDocument, libraryResources } from '../projections/library-resources.js';

const COUNTED: CountedProjection<LibraryResourceDocument> = {
  projection: libraryResources,
  counts: ['download_count', 'unique_download_count'],
};

@Injectable()
export class LibraryResources {
  constructor(private readonly counted: CountedStreams) {}

  change(id: string, command: LibraryResourceCommand, context: Context): Promise<LibraryResourceDocument> {
    return this.counted.change(libraryResourceDecider, COUNTED, id, command, context);
  }
}
