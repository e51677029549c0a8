import type { NounParts } from '../../engine/area-parts.js';
import { onboardingHandlers } from '../commands/onboarding.commands.js';
import { Onboarding } from '../commands/onboarding.steps.js';
import { OnboardingController } from '../http/onboarding.controller.js';
import { OnboardingReader } from '../onboarding-reader.js';
import { RewardOnboarding } from '../processes/reward-onboarding.js';
import { onboardingProgress } from '../projections/onboarding-progress.js';
import { onboardingTasks } from '../projections/onboarding-tasks.js';
import { onboardingQueryHandlers } from '../queries/onboarding.queries.js';

export const onboardingParts: NounParts = {
  controllers: [OnboardingController],
  providers: [Onboarding, OnboardingReader, ...onboardingHandlers, ...onboardingQueryHandlers],
  projections: [onboardingTasks, onboardingProgress],
  reactors: [RewardOnboarding],
};
