import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { Completion } from '../domain/onboarding-completion.js';
import {
  DEFAULT_TASKS,
  type OnboardingTaskContent,
  onboardingTaskDecider,
  onboardingTaskIdOf,
} from '../domain/onboarding-task.js';
import { type OnboardingTaskDocument, onboardingTasks } from '../projections/onboarding-tasks.js';
import { Awards } from './awards.steps.js';

const SOURCE_TYPE = 'onboarding_task';

@Injectable()
export class Onboarding {
  constructor(
    private readonly streams: Streams,
    private readonly awards: Awards,
  ) {}

  async addTask(
    communityId: string,
    content: OnboardingTaskContent,
    context: Context,
  ): Promise<OnboardingTaskDocument> {
    const taskId = onboardingTaskIdOf(communityId, content.key);
    const command = { type: 'AddTask', task: { taskId, communityId, ...content } } as const;
    return (await this.streams.execute(onboardingTaskDecider, taskId, command, context)).render(
      onboardingTasks,
      taskId,
    );
  }

  /** Adds the tasks with which a community starts. A repeated call has no effect. */
  async addDefaultTasks(communityId: string, context: Context): Promise<void> {
    for (const task of DEFAULT_TASKS)
      await this.addTask(communityId, task, createChildContext(context, 'default-task', task.key));
  }

  /** Pays the reward of a completed task once. */
  async reward(completion: Completion, context: Context): Promise<void> {
    const { awardId, communityId, memberId, userId, taskKey: sourceId, pointsAwarded: points } = completion;
    const reward = { awardId, communityId, memberId, userId, points, sourceType: SOURCE_TYPE, sourceId };
    await this.awards.payReward(reward, createChildContext(context, 'reward'));
  }
}
