import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModelReader, type SliceResult } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import { type ReplayJobDocument, replayJobs } from '../projections/replay-jobs.js';

/** Lists replay jobs, newest first. */
export class ListReplayJobs extends Query<SliceResult<ReplayJobDocument>> {
  constructor(
    readonly context: Context,
    readonly paging: { readonly limit: number; readonly after: string | null },
  ) {
    super();
  }
}

@QueryHandler(ListReplayJobs)
export class ListReplayJobsHandler implements IQueryHandler<ListReplayJobs> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ context, paging }: ListReplayJobs): Promise<SliceResult<ReplayJobDocument>> {
    return this.reader.getSlice(replayJobs, { where: toOwnerFilter(context), ...paging }, context.consistency);
  }
}
