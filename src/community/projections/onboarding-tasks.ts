import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  describe,
  type DocumentOf,
  integer,
  nullable,
  resource,
  string,
} from '../../kernel/schema.js';
import type { OnboardingTaskEvent } from '../domain/onboarding-task.js';
import { deletedFields, markDeleted } from './deletions.js';
import { communityFields, creationTime, rewardSchema } from './fields.js';

const onboardingTaskFields = {
  ...communityFields('onboarding_task', 'task'),
  key: describe(
    string,
    'The key that names the task in requests, unique among the current tasks of the community.',
    'say_hello',
  ),
  title: describe(string, 'The title that members see.', 'Say hello'),
  description: describe(nullable(string), 'The text that explains the task; null for none.', 'Write a short post.'),
  position: describe(integer, 'The place of the task in a progress; the lowest comes first.'),
  cp_reward: rewardSchema,
  required: describe(
    boolean,
    'Whether the community expects each member to complete the task; a progress counts it either way.',
    true,
  ),
  created_at: creationTime,
};

export const onboardingTaskSchema = resource('OnboardingTask', onboardingTaskFields);
/** The answer to a deletion. */
export const deletedOnboardingTaskSchema = resource('DeletedOnboardingTask', {
  ...onboardingTaskFields,
  ...deletedFields,
  deleted_at: describe(dateTime, 'The time at which this object was deleted.'),
});

export interface OnboardingTaskDocument extends DocumentOf<typeof onboardingTaskSchema> {
  readonly _deletedAt: string | null;
  readonly _deletedBy: string | null;
}

export const onboardingTasks: Projection<OnboardingTaskDocument, OnboardingTaskEvent> = {
  name: 'onboardingTasks',
  version: 1,
  id: pickId('taskId'),
  indexes: [['community.id', '_deletedAt', 'created_at']],
  totals: [['community.id', '_deletedAt']],
  on: {
    OnboardingTaskAdded: (_, { data }) => ({
      id: data.taskId,
      object: 'onboarding_task',
      community: toReference('community', data.communityId),
      key: data.key,
      title: data.title,
      description: data.description,
      position: data.position,
      cp_reward: data.cpReward,
      required: data.required,
      created_at: data.at,
      _deletedAt: null,
      _deletedBy: null,
    }),
    OnboardingTaskDeleted: (task, { data }) => task && { ...task, _deletedAt: data.at, _deletedBy: data.deletedBy },
  },
};

export type DeletedOnboardingTask = DocumentOf<typeof deletedOnboardingTaskSchema>;

export function toDeletedTask(task: OnboardingTaskDocument): OnboardingTaskDocument & DeletedOnboardingTask {
  return { ...markDeleted(task), deleted_at: task._deletedAt! };
}
