import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { memberDecider } from '../domain/member.js';
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
    if (points === 0) return;
    const member = await this.streams.loadState(memberDecider, memberId);
    const email = member.status === 'unknown' ? null : member.email;
    const award = { awardId, communityId, memberId, userId, email, points, sourceType: SOURCE_TYPE, sourceId };
    await this.awards.pay(award, createChildContext(context, 'reward')).catch(ignoreOtherAward);
  }
}

/** A moderator may have awarded other points under this source by hand. The source pays once, so the reward is not paid. */
function ignoreOtherAward(error: unknown): void {
  if (!(error instanceof Rejection) || error.code !== 'points_already_awarded') throw error;
}
