import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';

/** The route of the progress has this name. */
const RESERVED_KEY = 'progress';

export interface OnboardingTaskContent {
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
  readonly position: number;
  readonly cpReward: number;
  readonly required: boolean;
}

interface NewTask extends OnboardingTaskContent {
  readonly taskId: string;
  readonly communityId: string;
}

export type OnboardingTaskEvent =
  | Fact<'OnboardingTaskAdded', NewTask & { at: string }>
  | Fact<'OnboardingTaskDeleted', { taskId: string; communityId: string; key: string; deletedBy: string; at: string }>;

export type OnboardingTask =
  { readonly status: 'unknown' } | { readonly status: 'open' | 'deleted'; readonly task: NewTask };

function evolve(state: OnboardingTask, event: OnboardingTaskEvent): OnboardingTask {
  if (event.type === 'OnboardingTaskAdded') return { status: 'open', task: event.data };
  return state.status === 'unknown' ? state : { ...state, status: 'deleted' };
}

/** The key of a deleted task can be used again. */
export type OnboardingTaskCommand =
  { readonly type: 'AddTask'; readonly task: NewTask } | { readonly type: 'DeleteTask'; readonly userId: string };

function decide(
  command: OnboardingTaskCommand,
  state: OnboardingTask,
  { now: at }: DecisionContext,
): readonly OnboardingTaskEvent[] {
  if (command.type === 'AddTask') {
    const { task } = command;
    if (task.key === RESERVED_KEY) throw Rejection.ofField('key', 'not_allowed', `The key may not be ${RESERVED_KEY}.`);
    if (state.status === 'open') throw new Rejection('key_taken', 'Another task of the community has this key.', 'key');
    return [{ type: 'OnboardingTaskAdded', data: { ...task, at } }];
  }
  if (state.status === 'unknown') throw createTaskNotFoundRejection();
  if (state.status === 'deleted') return [];
  const { taskId, communityId, key } = state.task;
  return [{ type: 'OnboardingTaskDeleted', data: { taskId, communityId, key, deletedBy: command.userId, at } }];
}

export function createTaskNotFoundRejection(): Rejection {
  return new Rejection('onboarding_task_not_found', 'The community has no such onboarding task.');
}

export const onboardingTaskDecider: Decider<OnboardingTask, OnboardingTaskCommand, OnboardingTaskEvent> = {
  category: 'onboardingTask',
  versions: { OnboardingTaskAdded: 1, OnboardingTaskDeleted: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

export function onboardingTaskIdOf(communityId: string, key: string): string {
  return idOf('task', 0, communityId, key);
}

const DEFAULT_REWARD = 5;

/** The tasks with which a community starts. */
export const DEFAULT_TASKS: readonly OnboardingTaskContent[] = [
  ['complete_profile', 'Complete your profile'],
  ['introduce_yourself', 'Introduce yourself'],
  ['first_post', 'Write your first post'],
  ['join_channel', 'Join a channel'],
].map(([key, title], i) => ({
  key: key!,
  title: title!,
  description: null,
  position: i + 1,
  cpReward: DEFAULT_REWARD,
  required: true,
}));
