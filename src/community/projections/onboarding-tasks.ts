import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  nullable,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { OnboardingTaskEvent } from '../domain/onboarding-task.js';
import { deletedFields, markDeleted } from './deletions.js';

const onboardingTaskFields = {
  id: id('task'),
  object: enumOf('onboarding_task'),
  community: ref('community', 'com'),
  key: string,
  title: string,
  description: nullable(string),
  position: integer,
  cp_reward: integer,
  required: boolean,
  created_at: dateTime,
};

export const onboardingTaskSchema = resource('OnboardingTask', onboardingTaskFields);
/** The answer to a deletion. */
export const deletedOnboardingTaskSchema = resource('DeletedOnboardingTask', {
  ...onboardingTaskFields,
  ...deletedFields,
  deleted_at: dateTime,
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

export function toDeletedTask(task: OnboardingTaskDocument): DeletedOnboardingTask {
  return { ...markDeleted(task), deleted_at: task._deletedAt! };
}
