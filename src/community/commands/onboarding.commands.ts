import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { CommunityAccess, requireMembership } from '../access/community-access.js';
import { onboardingCompletionDecider, onboardingCompletionIdOf } from '../domain/onboarding-completion.js';
import {
  createTaskNotFoundRejection,
  type OnboardingTaskContent,
  onboardingTaskDecider,
  onboardingTaskIdOf,
} from '../domain/onboarding-task.js';
import { type CompletionAnswer, toCompletion } from '../projections/onboarding-progress.js';
import {
  type DeletedOnboardingTask,
  type OnboardingTaskDocument,
  onboardingTasks,
  toDeletedTask,
} from '../projections/onboarding-tasks.js';
import { OnboardingReader } from '../readers/onboarding-reader.js';
import { Onboarding } from './onboarding.steps.js';

export class AddOnboardingTask extends ContextCommand<
  { communityId: string; content: OnboardingTaskContent },
  OnboardingTaskDocument,
  CallerContext
> {}

@CommandHandler(AddOnboardingTask)
export class AddOnboardingTaskHandler implements ICommandHandler<AddOnboardingTask> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly onboarding: Onboarding,
  ) {}

  async execute({ context: request, params: { communityId, content } }: AddOnboardingTask) {
    const { context } = await this.access.require(communityId, request, 'moderate');
    return this.onboarding.addTask(communityId, content, context);
  }
}

interface TaskKey {
  readonly communityId: string;
  readonly key: string;
}

export class DeleteOnboardingTask extends ContextCommand<TaskKey, DeletedOnboardingTask, CallerContext> {}

@CommandHandler(DeleteOnboardingTask)
export class DeleteOnboardingTaskHandler implements ICommandHandler<DeleteOnboardingTask> {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context: request, params: { communityId, key } }: DeleteOnboardingTask) {
    const { context } = await this.access.require(communityId, request, 'remove');
    const taskId = onboardingTaskIdOf(communityId, key);
    const command = { type: 'DeleteTask', userId: requireUserId(request) } as const;
    const outcome = await this.streams.execute(onboardingTaskDecider, taskId, command, context);
    return toDeletedTask(await outcome.render(onboardingTasks, taskId));
  }
}

export class CompleteOnboardingTask extends ContextCommand<TaskKey, CompletionAnswer, CallerContext> {}

@CommandHandler(CompleteOnboardingTask)
export class CompleteOnboardingTaskHandler implements ICommandHandler<CompleteOnboardingTask> {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
    private readonly onboarding: Onboarding,
    private readonly reader: OnboardingReader,
  ) {}

  /** The first completion counts: its answer is returned again, and the reward is paid once. */
  async execute({ context: request, params: { communityId, key: taskKey } }: CompleteOnboardingTask) {
    const viewer = await this.access.require(communityId, request, 'participate');
    const { id: memberId, userId } = requireMembership(viewer);
    const pointsAwarded = await this.requireReward(communityId, taskKey);

    const { context } = viewer;
    const awardId = idOf('pta', context.at, context.commandId);
    const completion = { communityId, memberId, userId, taskKey, pointsAwarded, awardId };
    const stream = onboardingCompletionIdOf(completion);
    const command = { type: 'CompleteTask', completion } as const;
    const { state } = await this.streams.execute(onboardingCompletionDecider, stream, command, context);
    await this.onboarding.reward(state!, context);
    const { completed, total, all_completed } = await this.reader.readProgress(communityId, userId, context);
    return { ...toCompletion(state!), progress: { completed, total, all_completed } };
  }

  private async requireReward(communityId: string, key: string): Promise<number> {
    const found = await this.streams.loadState(onboardingTaskDecider, onboardingTaskIdOf(communityId, key));
    if (found.status !== 'open') throw createTaskNotFoundRejection();
    return found.task.cpReward;
  }
}

export const onboardingHandlers = [
  AddOnboardingTaskHandler,
  DeleteOnboardingTaskHandler,
  CompleteOnboardingTaskHandler,
];
