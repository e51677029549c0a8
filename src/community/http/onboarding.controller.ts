import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsBoolean, IsInt, IsOptional, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsName, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { AddOnboardingTask, CompleteOnboardingTask, DeleteOnboardingTask } from '../commands/onboarding.commands.js';
import type { OnboardingTaskContent } from '../domain/onboarding-task.js';
import { completionSchema, onboardingProgressSchema } from '../projections/onboarding-progress.js';
import { deletedOnboardingTaskSchema, onboardingTaskSchema } from '../projections/onboarding-tasks.js';
import { ListOnboardingTasks, RetrieveProgress } from '../queries/onboarding.queries.js';

const MAX_REWARD = 1_000_000;
const MAX_POSITION = 1_000_000;

class AddOnboardingTaskBody {
  @Describe(
    'The key that names the task in requests, unique among the current tasks of the community; not `progress`.',
    'say_hello',
  )
  @IsString()
  @Length(1, 64)
  @Matches(/^[A-Za-z0-9_-]+$/, { message: '$property may contain only letters, digits, "_" and "-"' })
  key!: string;

  @Describe('The title that members see.', 'Say hello')
  @IsName(200)
  title!: string;

  @Describe('The text that explains the task; null for none.', 'Write a short post.')
  @IsOptional()
  @IsString()
  @MaxLength(5_000)
  description?: string | null;

  @Describe('The place of the task in a progress, by default 0; the lowest comes first.')
  @OptionalNotNull()
  @IsInt()
  @Min(0)
  @Max(MAX_POSITION)
  position?: number;

  @Describe('The points that a member receives once for completing it; 0, the default, for none.', 25)
  @OptionalNotNull()
  @IsInt()
  @Min(0)
  @Max(MAX_REWARD)
  cp_reward?: number;

  @Describe(
    'Whether the community expects each member to complete the task, by default true; a progress counts it either way.',
    true,
  )
  @OptionalNotNull()
  @IsBoolean()
  required?: boolean;
}

@Controller('v1/community/communities/:id/onboarding-tasks')
export class OnboardingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation('Add an onboarding task', onboardingTaskSchema)
  @Rejects('not_a_member', 'permission_denied', 'key_taken', 'community_archived')
  async add(@Ctx() context: CallerContext, @Param('id') communityId: string, @Body() body: AddOnboardingTaskBody) {
    const command = new AddOnboardingTask(context, { communityId, content: toContent(body) });
    return { data: await this.commands.execute(command) };
  }

  @Get()
  @Operation('List onboarding tasks', onboardingTaskSchema)
  @Rejects('not_a_member')
  list(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListOnboardingTasks(context, { communityId, page, perPage }));
  }

  @Get('progress')
  @Operation('Retrieve the onboarding progress', onboardingProgressSchema, {
    about: 'Shows the tasks that the caller has completed, and those that are open.',
  })
  @Rejects('not_a_member')
  async progress(@Ctx() context: CallerContext, @Param('id') communityId: string) {
    return { data: await this.queries.execute(new RetrieveProgress(context, { communityId })) };
  }

  @Delete(':task_key')
  @Operation('Delete an onboarding task', deletedOnboardingTaskSchema)
  @Rejects('not_a_member', 'permission_denied', 'onboarding_task_not_found')
  async delete(@Ctx() context: CallerContext, @Param('id') communityId: string, @Param('task_key') key: string) {
    return { data: await this.commands.execute(new DeleteOnboardingTask(context, { communityId, key })) };
  }

  @Post(':task_key/complete')
  @HttpCode(200)
  @Operation('Complete an onboarding task', completionSchema, {
    about: 'Records the completion by the caller. A repeated request returns the first completion.',
  })
  @Rejects('not_a_member', 'onboarding_task_not_found', 'community_archived')
  async complete(@Ctx() context: CallerContext, @Param('id') communityId: string, @Param('task_key') key: string) {
    return { data: await this.commands.execute(new CompleteOnboardingTask(context, { communityId, key })) };
  }
}

function toContent(body: AddOnboardingTaskBody): OnboardingTaskContent {
  const { key, title, description = null, position = 0, cp_reward: cpReward = 0, required = true } = body;
  return { key, title, description, position, cpReward, required };
}
