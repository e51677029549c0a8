import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import { canModerate } from '../domain/community-role.js';
import type { MemberStatus, Role } from '../domain/member-events.js';
import { ROLES } from '../domain/member-events.js';
import { type MemberDocument, members } from '../projections/members.js';
import { MemberReader } from '../readers/member-reader.js';

const ACTIVE: readonly MemberStatus[] = ['active'];

export class RetrieveMember extends ContextQuery<
  { communityId: string; userId: string },
  MemberDocument,
  CallerContext
> {}

@QueryHandler(RetrieveMember)
export class RetrieveMemberHandler implements IQueryHandler<RetrieveMember> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly reader: MemberReader,
  ) {}

  /** Only moderators see members who are pending, removed or banned. */
  async execute({ context, params: { communityId, userId } }: RetrieveMember): Promise<MemberDocument> {
    const viewer = await this.access.require(communityId, context, 'read');
    const member = await this.access.findMember(communityId, userId);
    if (member.status === 'unknown') throw Rejection.notFound();
    const isOwn = member.userId === viewer.context.caller.user?.id;
    if (member.status !== 'active' && !isOwn && !canModerate(viewer.role)) throw Rejection.notFound();
    return this.reader.load(member.id, viewer);
  }
}

interface MemberList extends Paging {
  readonly communityId: string;
  /** Undefined: every role. */
  readonly roles?: readonly Role[];
  /** Undefined: the active members. */
  readonly statuses?: readonly MemberStatus[];
  readonly email?: string;
}

export class ListMembers extends ContextQuery<MemberList, PageResult<MemberDocument>, CallerContext> {}

@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly documents: ReadModelReader,
    private readonly reader: MemberReader,
    private readonly personal: PersonalFields,
  ) {}

  async execute({ context, params }: ListMembers): Promise<PageResult<MemberDocument>> {
    const { communityId, roles = ROLES, statuses = ACTIVE, email, page, perPage } = params;
    const action = email === undefined && params.statuses === undefined ? 'read' : 'inspect';
    const viewer = await this.access.require(communityId, context, action);
    const where = {
      'community.id': communityId,
      status: { in: statuses },
      role: { in: roles },
      ...(email !== undefined && { 'user.email.hash': this.personal.hash(email) }),
    };
    const request = { where, page, perPage, orderBy: '_createdAt' } as const;
    const found = await this.documents.getPage(members, request, context.consistency);
    return { ...found, data: found.data.map((member) => this.reader.show(member, viewer)) };
  }
}

export const memberQueryHandlers = [RetrieveMemberHandler, ListMembersHandler];
