import {
  onboardingCompletionDecider,
  type OnboardingCompletionEvent,
} from '../../../src/community/domain/onboarding-completion.js';
import { onboardingTaskDecider, type OnboardingTaskEvent } from '../../../src/community/domain/onboarding-task.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const task = {
  taskId: 'task_1',
  communityId: 'com_1',
  key: 'rules',
  title: 'Read the rules',
  description: null,
  position: 1,
  cpReward: 5,
  required: true,
};
const add = { type: 'AddTask', task } as const;
const added: OnboardingTaskEvent = { type: 'OnboardingTaskAdded', data: { ...task, at: NOW } };
const deleted: OnboardingTaskEvent = {
  type: 'OnboardingTaskDeleted',
  data: { taskId: 'task_1', communityId: 'com_1', key: 'rules', deletedBy: 'usr_2', at: NOW },
};

describe('An onboarding task', () => {
  it('is added', () => given(onboardingTaskDecider).when(add).then(added));

  it('has a key of its own', () => given(onboardingTaskDecider, added).when(add).thenRejects('key_taken', 'key'));

  it('cannot have the key of the progress', () =>
    given(onboardingTaskDecider)
      .when({ ...add, task: { ...task, key: 'progress' } })
      .thenRejects('validation_failed', 'key'));

  it('is deleted', () =>
    given(onboardingTaskDecider, added).when({ type: 'DeleteTask', userId: 'usr_2' }).then(deleted));

  it('is deleted once', () =>
    given(onboardingTaskDecider, added, deleted).when({ type: 'DeleteTask', userId: 'usr_3' }).thenNothing());

  it('is added again after its deletion', () => given(onboardingTaskDecider, added, deleted).when(add).then(added));

  it('cannot be deleted when it does not exist', () =>
    given(onboardingTaskDecider)
      .when({ type: 'DeleteTask', userId: 'usr_2' })
      .thenRejects('onboarding_task_not_found'));
});

describe('The completion of a task', () => {
  const completion = {
    communityId: 'com_1',
    memberId: 'mem_1',
    userId: 'usr_1',
    taskKey: 'rules',
    pointsAwarded: 5,
    awardId: 'pta_1',
  };
  const completed: OnboardingCompletionEvent = { type: 'OnboardingTaskCompleted', data: { ...completion, at: NOW } };

  it('is recorded', () =>
    given(onboardingCompletionDecider).when({ type: 'CompleteTask', completion }).then(completed));

  it('is recorded once', () =>
    given(onboardingCompletionDecider, completed)
      .when({ type: 'CompleteTask', completion: { ...completion, pointsAwarded: 9 } })
      .thenNothing());
});
