import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';

/** `awardId`: the award of the points; the source of an award pays once, also when the task is added again. */
export interface Completion {
  readonly communityId: string;
  readonly memberId: string;
  readonly userId: string;
  readonly taskKey: string;
  readonly pointsAwarded: number;
  readonly awardId: string;
}

export type OnboardingCompletionEvent = Fact<'OnboardingTaskCompleted', Completion & { at: string }>;

export type OnboardingCompletion = OnboardingCompletionEvent['data'] | null;

export interface OnboardingCompletionCommand {
  readonly type: 'CompleteTask';
  readonly completion: Completion;
}

function decide(
  { completion }: OnboardingCompletionCommand,
  state: OnboardingCompletion,
  { now: at }: DecisionContext,
): readonly OnboardingCompletionEvent[] {
  return state === null ? [{ type: 'OnboardingTaskCompleted', data: { ...completion, at } }] : [];
}

export const onboardingCompletionDecider: Decider<
  OnboardingCompletion,
  OnboardingCompletionCommand,
  OnboardingCompletionEvent
> = {
  category: 'onboardingCompletion',
  versions: { OnboardingTaskCompleted: 1 },
  initial: null,
  evolve: (_, { data }) => data,
  decide,
};

export function onboardingCompletionIdOf({ communityId, userId, taskKey }: Completion): string {
  return idOf('completion', 0, communityId, userId, taskKey);
}
