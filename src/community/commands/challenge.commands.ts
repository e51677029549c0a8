import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { idOf } from '../../kernel/ids.js';
import { ChallengeAccess } from '../access/challenge-access.js';
import { CommunityAccess, requireMembership } from '../access/community-access.js';
import type { ChallengeContent } from '../domain/challenge.js';
import { challengeEntryDecider, challengeEntryIdOf } from '../domain/challenge-entry.js';
import { challengeEntries, type ChallengeEntryDocument, showProgress } from '../projections/challenge-entries.js';
import type { ChallengeDocument } from '../projections/challenges.js';
import { Challenges } from './challenges.steps.js';

interface ChallengeId {
  readonly id: string;
}

/** A null `startsAt` is the time of the creation. */
type DraftContent = Omit<ChallengeContent, 'startsAt'> & { readonly startsAt: string | null };

export class CreateChallenge extends ContextCommand<
  { communityId: string; content: DraftContent },
  ChallengeDocument,
  CallerContext
> {}

@CommandHandler(CreateChallenge)
export class CreateChallengeHandler implements ICommandHandler<CreateChallenge> {
  constructor(
    private readonly challenges: Challenges,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context: request, params: { communityId, content } }: CreateChallenge): Promise<ChallengeDocument> {
    const { context } = await this.access.require(communityId, request, 'moderate');
    const challengeId = idOf('chal', context.at, context.commandId);
    const challenge = { challengeId, communityId, createdBy: requireUserId(context), ...content };
    return this.challenges.change(challengeId, { type: 'CreateChallenge', challenge }, context);
  }
}

export class EditChallenge extends ContextCommand<
  ChallengeId & { content: Partial<ChallengeContent> },
  ChallengeDocument,
  CallerContext
> {}

@CommandHandler(EditChallenge)
export class EditChallengeHandler implements ICommandHandler<EditChallenge> {
  constructor(
    private readonly challenges: Challenges,
    private readonly access: ChallengeAccess,
  ) {}

  async execute({ context: request, params: { id, content } }: EditChallenge): Promise<ChallengeDocument> {
    const { viewer } = await this.access.require(id, request, 'moderate');
    return this.challenges.change(id, { type: 'EditChallenge', content }, viewer.context);
  }
}

export class CancelChallenge extends ContextCommand<ChallengeId, ChallengeDocument, CallerContext> {}

@CommandHandler(CancelChallenge)
export class CancelChallengeHandler implements ICommandHandler<CancelChallenge> {
  constructor(
    private readonly challenges: Challenges,
    private readonly access: ChallengeAccess,
  ) {}

  async execute({ context: request, params: { id } }: CancelChallenge): Promise<ChallengeDocument> {
    const { viewer } = await this.access.require(id, request, 'remove');
    return this.challenges.change(id, { type: 'CancelChallenge', userId: requireUserId(request) }, viewer.context);
  }
}

export class JoinChallenge extends ContextCommand<ChallengeId, ChallengeEntryDocument, CallerContext> {}

@CommandHandler(JoinChallenge)
export class JoinChallengeHandler implements ICommandHandler<JoinChallenge> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChallengeAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ context: request, params: { id } }: JoinChallenge): Promise<ChallengeEntryDocument> {
    const { challenge, viewer } = await this.access.require(id, request, 'participate');
    const { id: memberId, userId } = requireMembership(viewer);
    const entryId = challengeEntryIdOf(id, userId);
    const command = { type: 'JoinChallenge', challenge, memberId, userId } as const;
    const outcome = await this.streams.execute(challengeEntryDecider, entryId, command, viewer.context);
    const entry = await outcome.render(challengeEntries, entryId);
    return showProgress(entry, challenge.content, toIso(this.clock.now()));
  }
}

export const challengeHandlers = [
  CreateChallengeHandler,
  EditChallengeHandler,
  CancelChallengeHandler,
  JoinChallengeHandler,
];
