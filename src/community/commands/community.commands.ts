import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { Users } from '../../identity/users.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { community, type CommunityContent, type Founder } from '../domain/community.js';
import { Products } from '../products.js';
import { communities, type CommunityDocument } from '../projections/communities.js';
import { enrol, founderJoins } from './enrolment.js';
import { userIdOf } from '../standings.js';

export class CreateCommunity extends Command<CommunityDocument> {
  constructor(
    readonly context: CallerContext,
    readonly content: CommunityContent,
  ) {
    super();
  }
}

@CommandHandler(CreateCommunity)
export class CreateCommunityHandler implements ICommandHandler<CreateCommunity> {
  constructor(
    private readonly streams: Streams,
    private readonly users: Users,
    private readonly products: Products,
  ) {}

  async execute({ context, content }: CreateCommunity): Promise<CommunityDocument> {
    const { business: businessId } = context.caller;
    if (!(await this.mayLink(content.productId, businessId))) throw Rejection.unknownReference('product_id');

    const communityId = idOf('com', context.at, context.commandId);
    const owner = await this.founder(context);
    const founding = { type: 'CreateCommunity', communityId, businessId, owner, ...content } as const;
    const outcome = await this.streams.execute(community, communityId, founding, context);
    await enrol(this.streams, founderJoins(communityId, owner), context);
    return outcome.render(communities, communityId);
  }

  private async mayLink(productId: string | null, businessId: string | null): Promise<boolean> {
    return productId === null || (businessId !== null && (await this.products.belongs(productId, businessId)));
  }

  private async founder(context: CallerContext): Promise<Founder> {
    const userId = userIdOf(context);
    const known = await this.users.get(userId);
    return { userId, memberId: idOf('mem', context.at, context.commandId), email: known?.email ?? null };
  }
}
