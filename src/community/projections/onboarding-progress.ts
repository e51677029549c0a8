import { idOf } from '../../kernel/ids.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
  enumOf,
  integer,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { OnboardingCompletionEvent } from '../domain/onboarding-completion.js';

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
  object: enumOf('onboarding_task_completion'),
  community: ref('community', 'com'),
  user: ref('user', 'usr'),
  task_key: string,
  status: enumOf('completed'),
  completed_at: dateTime,
  points_awarded: integer,
};

const countFields = { completed: integer, total: integer, all_completed: boolean };

/** The answer to a completion. */
export const completionSchema = resource('OnboardingTaskCompletion', {
  ...completionFields,
  progress: object(countFields),
});

export const onboardingProgressSchema = resource('OnboardingProgress', {
  tasks: list(object({ key: string, status: enumOf('open', 'completed'), completed_at: nullable(dateTime) })),
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
