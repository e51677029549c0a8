import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import {
  type OnboardingProgress,
  onboardingProgress,
  onboardingProgressIdOf,
} from '../projections/onboarding-progress.js';
import { onboardingTasks } from '../projections/onboarding-tasks.js';

/** More tasks of one community are not shown in a progress. */
const MAX_TASKS = 1_000;

@Injectable()
export class OnboardingReader {
  constructor(private readonly reader: ReadModelReader) {}

  /** Returns the open and completed tasks of a user, in the order of their positions. */
  async readProgress(communityId: string, userId: string, { consistency }: Context): Promise<OnboardingProgress> {
    const where = { 'community.id': communityId, _deletedAt: null };
    const found = await this.reader.find(onboardingTasks, where, MAX_TASKS, consistency);
    const progress = await this.reader.get(
      onboardingProgress,
      onboardingProgressIdOf(communityId, userId),
      consistency,
    );
    const tasks = [...found]
      .sort((a, b) => a.position - b.position)
      .map(({ key }) => toTaskStatus(key, progress?.completed[key] ?? null));
    const completed = tasks.filter(({ status }) => status === 'completed').length;
    return { tasks, completed, total: tasks.length, all_completed: completed === tasks.length };
  }
}

function toTaskStatus(key: string, completedAt: string | null): OnboardingProgress['tasks'][number] {
  return { key, status: completedAt === null ? 'open' : 'completed', completed_at: completedAt };
}
