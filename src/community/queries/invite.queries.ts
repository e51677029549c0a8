import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { Users } from '../../identity/users.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { requireFound } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import { InviteAccess } from '../access/invite-access.js';
import { inviteDecider } from '../domain/invite.js';
import { type InviteDocument, invites, showInvite } from '../projections/invites.js';

export class RetrieveInvite extends ContextQuery<{ id: string }, InviteDocument, CallerContext> {}

@QueryHandler(RetrieveInvite)
export class RetrieveInviteHandler implements IQueryHandler<RetrieveInvite> {
  constructor(
    private readonly streams: Streams,
    private readonly access: InviteAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { id } }: RetrieveInvite): Promise<InviteDocument> {
    await this.access.requireReadable(id, context);
    const invite = requireFound(await this.streams.loadDocument(inviteDecider, id, invites));
    return showInvite(invite, toIso(this.clock.now()));
  }
}

interface InviteList extends Paging {
  readonly communityId: string;
}

export class ListInvites extends ContextQuery<InviteList, PageResult<InviteDocument>, CallerContext> {}

@QueryHandler(ListInvites)
export class ListInvitesHandler implements IQueryHandler<ListInvites> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params }: ListInvites): Promise<PageResult<InviteDocument>> {
    const { communityId, page, perPage } = params;
    await this.access.require(communityId, context, 'inspect');
    const where = { 'community.id': communityId };
    const found = await this.reader.getPage(invites, { where, page, perPage }, context.consistency);
    return showAll(found, this.clock);
  }
}

/** Lists the invites of the caller's own current address. */
export class ListOwnInvites extends ContextQuery<Paging, PageResult<InviteDocument>, CallerContext> {}

@QueryHandler(ListOwnInvites)
export class ListOwnInvitesHandler implements IQueryHandler<ListOwnInvites> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly users: Users,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { page, perPage } }: ListOwnInvites): Promise<PageResult<InviteDocument>> {
    const user = await this.users.find(requireUserId(context));
    const where = { 'email.hash': user?.email?.hash ?? '' };
    const found = await this.reader.getPage(invites, { where, page, perPage }, context.consistency);
    return showAll(found, this.clock);
  }
}

function showAll(found: PageResult<InviteDocument>, clock: Clock): PageResult<InviteDocument> {
  const now = toIso(clock.now());
  return { ...found, data: found.data.map((invite) => showInvite(invite, now)) };
}

export const inviteQueryHandlers = [RetrieveInviteHandler, ListInvitesHandler, ListOwnInvitesHandler];
