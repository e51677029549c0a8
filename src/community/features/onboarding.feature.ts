import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { onboardingHandlers } from '../commands/onboarding.commands.js';
import { Onboarding } from '../commands/onboarding.steps.js';
import { onboardingCompletionDecider } from '../domain/onboarding-completion.js';
import { onboardingTaskDecider } from '../domain/onboarding-task.js';
import { OnboardingController } from '../http/onboarding.controller.js';
import { RewardOnboarding } from '../processes/reward-onboarding.js';
import {
  completionFactsSchema,
  onboardingCompletions,
  onboardingProgress,
} from '../projections/onboarding-progress.js';
import {
  deletedOnboardingTaskSchema,
  onboardingTasks,
  onboardingTaskSchema,
  toDeletedTask,
} from '../projections/onboarding-tasks.js';
import { onboardingQueryHandlers } from '../queries/onboarding.queries.js';
import { OnboardingReader } from '../readers/onboarding-reader.js';

const completion = createAuditedResource('onboarding_task_completion', onboardingCompletions);

export const onboardingFeature: Feature = {
  streams: [
    auditStream(onboardingTaskDecider, createAuditedResource('onboarding_task', onboardingTasks)),
    auditStream(onboardingCompletionDecider, nameByKey(completion, 'awardId')),
  ],
  projections: [onboardingTasks, onboardingProgress],
  publicEvents: [
    publish({
      fact: 'OnboardingTaskCompleted',
      type: 'community.onboarding_task.completed',
      summary: 'An onboarding task was completed',
      description: 'A member completed an onboarding task.',
      projection: onboardingCompletions,
      schema: completionFactsSchema,
      alone: true,
    }),
    publish({
      fact: 'OnboardingTaskAdded',
      type: 'community.onboarding_task.created',
      summary: 'A task was added',
      description: 'New members of a community got a task.',
      projection: onboardingTasks,
      schema: onboardingTaskSchema,
    }),
    publish({
      fact: 'OnboardingTaskDeleted',
      type: 'community.onboarding_task.deleted',
      summary: 'A task was deleted',
      description: 'An onboarding task was removed; points for it stay.',
      projection: onboardingTasks,
      schema: deletedOnboardingTaskSchema,
      complete: async (task) => toDeletedTask(task),
    }),
  ],
  controllers: [OnboardingController],
  providers: [Onboarding, OnboardingReader, ...onboardingHandlers, ...onboardingQueryHandlers],
  reactors: [RewardOnboarding],
};
