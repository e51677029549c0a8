import { idOf } from '../../kernel/ids.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  KIND,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { OnboardingCompletionEvent } from '../domain/onboarding-completion.js';
import { communityReference } from './fields.js';

/** The tasks that a user has completed in a community: task key → time. */
export interface OnboardingProgressDocument {
  readonly id: string;
  readonly completed: Readonly<Record<string, string>>;
}

export const onboardingProgress: Projection<OnboardingProgressDocument, OnboardingCompletionEvent> = {
  name: 'onboardingProgress',
  version: 1,
  id: ({ data }) => onboardingProgressIdOf(data.communityId, data.userId),
  indexes: [],
  on: {
    OnboardingTaskCompleted: (progress, { data }, id) => ({
      id,
      completed: { ...progress?.completed, [data.taskKey]: data.at },
    }),
  },
};

export function onboardingProgressIdOf(communityId: string, userId: string): string {
  return idOf('progress', 0, communityId, userId);
}

const completionFields = {
  object: describe(enumOf('onboarding_task_completion'), KIND),
  community: communityReference,
  user: describe(ref('user', 'usr'), 'The user who completed the task.'),
  task_key: describe(string, 'The key of the task.', 'first_post'),
  status: describe(enumOf('completed'), 'Always `completed`.'),
  completed_at: describe(dateTime, 'The time of the first completion.'),
  points_awarded: describe(integer, 'The reward of the task at that time, in points; it is paid once.', 5),
};

const countFields = {
  completed: describe(integer, 'The number of current tasks that the user has completed.', 1),
  total: describe(integer, 'The number of current tasks of the community.', 4),
  all_completed: describe(boolean, 'Whether the user has completed every current task.'),
};

const taskSchema = object({
  key: describe(string, 'The key of the task.', 'first_post'),
  status: describe(
    enumOf('open', 'completed'),
    'Whether the user has completed the task (`completed`), or not yet (`open`).',
  ),
  completed_at: describe(nullable(dateTime), 'The time of the first completion, or null before that.'),
});

/** The answer to a completion. */
export const completionSchema = resource('OnboardingTaskCompletion', {
  ...completionFields,
  progress: describe(object(countFields), 'The tasks of the user in this community after the completion.'),
});

export const onboardingProgressSchema = resource('OnboardingProgress', {
  tasks: describe(list(taskSchema), 'The current tasks of the community, in the order of their positions.'),
  ...countFields,
});

export type OnboardingProgress = DocumentOf<typeof onboardingProgressSchema>;
export type CompletionAnswer = DocumentOf<typeof completionSchema>;

/** The data of the public event. */
export const completionFactsSchema = resource('OnboardingTaskCompletionFacts', completionFields);

/** Renders a completion. It is not a read model. */
export const onboardingCompletions: Projection<DocumentOf<typeof completionFactsSchema>, OnboardingCompletionEvent> = {
  name: 'onboardingCompletions',
  version: 1,
  id: pickId('awardId'),
  indexes: [],
  on: { OnboardingTaskCompleted: (_, { data }) => toCompletion(data) },
};

export function toCompletion(data: OnboardingCompletionEvent['data']): DocumentOf<typeof completionFactsSchema> {
  return {
    object: 'onboarding_task_completion',
    community: toReference('community', data.communityId),
    user: toReference('user', data.userId),
    task_key: data.taskKey,
    status: 'completed',
    completed_at: data.at,
    points_awarded: data.pointsAwarded,
  };
}
