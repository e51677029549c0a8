import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { CommunityAccess } from '../access/community-access.js';
import type { OnboardingProgress } from '../projections/onboarding-progress.js';
import { type OnboardingTaskDocument, onboardingTasks } from '../projections/onboarding-tasks.js';
import { OnboardingReader } from '../readers/onboarding-reader.js';

interface TaskList extends Paging {
  readonly communityId: string;
}

export class ListOnboardingTasks extends ContextQuery<TaskList, PageResult<OnboardingTaskDocument>, CallerContext> {}

@QueryHandler(ListOnboardingTasks)
export class ListOnboardingTasksHandler implements IQueryHandler<ListOnboardingTasks> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly reader: ReadModelReader,
  ) {}

  async execute({ context, params: { communityId, page, perPage } }: ListOnboardingTasks) {
    await this.access.require(communityId, context, 'read');
    const where = { 'community.id': communityId, _deletedAt: null };
    return this.reader.getPage(onboardingTasks, { where, page, perPage }, context.consistency);
  }
}

export class RetrieveProgress extends ContextQuery<{ communityId: string }, OnboardingProgress, CallerContext> {}

@QueryHandler(RetrieveProgress)
export class RetrieveProgressHandler implements IQueryHandler<RetrieveProgress> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly reader: OnboardingReader,
  ) {}

  async execute({ context, params: { communityId } }: RetrieveProgress): Promise<OnboardingProgress> {
    await this.access.require(communityId, context, 'read');
    return this.reader.readProgress(communityId, requireUserId(context), context);
  }
}

export const onboardingQueryHandlers = [ListOnboardingTasksHandler, RetrieveProgressHandler];
