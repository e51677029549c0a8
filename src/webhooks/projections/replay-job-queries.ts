import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Views, type SliceOf } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import { ownedBy } from '../../kernel/ownership.js';
import { replayJobs, type ReplayJobDocument } from './replay-jobs.js';

/** Lists replay jobs, newest first. */
export class ListReplayJobs extends Query<SliceOf<ReplayJobDocument>> {
  constructor(
    readonly context: Context,
    readonly paging: { readonly limit: number; readonly after: string | null },
  ) {
    super();
  }
}

@QueryHandler(ListReplayJobs)
export class ListReplayJobsHandler implements IQueryHandler<ListReplayJobs> {
  constructor(private readonly views: Views) {}

  execute({ context, paging }: ListReplayJobs): Promise<SliceOf<ReplayJobDocument>> {
    return this.views.slice(replayJobs, { where: ownedBy(context), ...paging }, context.progress);
  }
}
