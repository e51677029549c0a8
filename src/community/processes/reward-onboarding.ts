import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Onboarding } from '../commands/onboarding.steps.js';
import type { OnboardingCompletionEvent } from '../domain/onboarding-completion.js';

/** Pays the reward of a completed task when a crash interrupted CompleteOnboardingTask. */
@Injectable()
export class RewardOnboarding implements Reactor<OnboardingCompletionEvent> {
  readonly name = 'reward-onboarding';
  readonly types = typesOf<OnboardingCompletionEvent>({ OnboardingTaskCompleted: true });

  constructor(private readonly onboarding: Onboarding) {}

  async react(event: RecordedOf<OnboardingCompletionEvent>): Promise<void> {
    await this.onboarding.reward(event.data, resumeContext(event, this.name));
  }
}
