import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { type LibraryResourceCommand, libraryResourceDecider } from '../domain/library-resource.js';
import { type LibraryResourceDocument, libraryResources } from '../projections/library-resources.js';

/** Changes library resources. The counts of downloads are facts of other streams, so they come from the read model. */
@Injectable()
export class LibraryResources {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  async change(id: string, command: LibraryResourceCommand, context: Context): Promise<LibraryResourceDocument> {
    const outcome = await this.streams.execute(libraryResourceDecider, id, command, context);
    const changed = await outcome.render(libraryResources, id);
    const counted = (await this.reader.get(libraryResources, id, context.consistency)) ?? changed;
    const { download_count, unique_download_count } = counted;
    return { ...changed, download_count, unique_download_count };
  }
}
