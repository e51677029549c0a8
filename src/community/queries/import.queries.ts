import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import { memberImportDecider } from '../domain/member-import.js';
import { type MemberImportDocument, memberImports } from '../projections/member-imports.js';

export class RetrieveImport extends ContextQuery<
  { communityId: string; importId: string },
  MemberImportDocument,
  CallerContext
> {}

@QueryHandler(RetrieveImport)
export class RetrieveImportHandler implements IQueryHandler<RetrieveImport> {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context, params: { communityId, importId } }: RetrieveImport): Promise<MemberImportDocument> {
    await this.access.require(communityId, context, 'inspect');
    const found = await this.streams.loadDocument(memberImportDecider, importId, memberImports);
    if (found?.community.id !== communityId) throw Rejection.notFound();
    return found;
  }
}
