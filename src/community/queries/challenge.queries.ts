import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { requireFound } from '../../kernel/rejection.js';
import { ChallengeAccess } from '../access/challenge-access.js';
import { CommunityAccess } from '../access/community-access.js';
import { challengeEntryDecider, challengeEntryIdOf } from '../domain/challenge-entry.js';
import { challengeEntries, type ChallengeEntryDocument, showProgress } from '../projections/challenge-entries.js';
import { type ChallengeDocument, challenges, showChallenge } from '../projections/challenges.js';

export class RetrieveChallenge extends ContextQuery<{ id: string }, ChallengeDocument, CallerContext> {}

@QueryHandler(RetrieveChallenge)
export class RetrieveChallengeHandler implements IQueryHandler<RetrieveChallenge> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: ChallengeAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { id } }: RetrieveChallenge): Promise<ChallengeDocument> {
    await this.access.require(id, context, 'read');
    const found = requireFound(await this.reader.get(challenges, id, context.consistency));
    return showChallenge(found, toIso(this.clock.now()));
  }
}

interface ChallengeList extends Paging {
  readonly communityId: string;
}

/** Lists the challenges that are not cancelled. */
export class ListChallenges extends ContextQuery<ChallengeList, PageResult<ChallengeDocument>, CallerContext> {}

@QueryHandler(ListChallenges)
export class ListChallengesHandler implements IQueryHandler<ListChallenges> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params }: ListChallenges): Promise<PageResult<ChallengeDocument>> {
    const { communityId, page, perPage } = params;
    await this.access.require(communityId, context, 'read');
    const where = { 'community.id': communityId, cancelled_at: null };
    const found = await this.reader.getPage(challenges, { where, page, perPage }, context.consistency);
    const now = toIso(this.clock.now());
    return { ...found, data: found.data.map((challenge) => showChallenge(challenge, now)) };
  }
}

/** Returns the caller's own progress. */
export class RetrieveChallengeProgress extends ContextQuery<{ id: string }, ChallengeEntryDocument, CallerContext> {}

@QueryHandler(RetrieveChallengeProgress)
export class RetrieveChallengeProgressHandler implements IQueryHandler<RetrieveChallengeProgress> {
  constructor(
    private readonly streams: Streams,
    private readonly access: ChallengeAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { id } }: RetrieveChallengeProgress): Promise<ChallengeEntryDocument> {
    const { challenge } = await this.access.require(id, context, 'read');
    const entryId = challengeEntryIdOf(id, requireUserId(context));
    const entry = requireFound(await this.streams.loadDocument(challengeEntryDecider, entryId, challengeEntries));
    return showProgress(entry, challenge.content, toIso(this.clock.now()));
  }
}

export const challengeQueryHandlers = [
  RetrieveChallengeHandler,
  ListChallengesHandler,
  RetrieveChallengeProgressHandler,
];
