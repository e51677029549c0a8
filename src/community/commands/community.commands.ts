import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../identity/caller.js';
import { Users } from '../../identity/users.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { type CommunityContent, communityDecider, type Founder } from '../domain/community.js';
import { ProductLookup } from '../product-lookup.js';
import { communities, type CommunityDocument } from '../projections/communities.js';
import { Channels } from './channels.steps.js';
import { Members } from './members.steps.js';

export class CreateCommunity extends ContextCommand<CommunityContent, CommunityDocument, CallerContext> {}

@CommandHandler(CreateCommunity)
export class CreateCommunityHandler implements ICommandHandler<CreateCommunity> {
  constructor(
    private readonly streams: Streams,
    private readonly members: Members,
    private readonly channels: Channels,
    private readonly users: Users,
    private readonly products: ProductLookup,
  ) {}

  async execute({ context, params }: CreateCommunity): Promise<CommunityDocument> {
    const { business: businessId } = context.caller;
    if (!(await this.canLink(params.productId, businessId))) throw Rejection.unknownReference('product_id');

    const communityId = idOf('com', context.at, context.commandId);
    const owner = await this.createFounder(context);
    const command = { type: 'CreateCommunity', communityId, businessId, owner, ...params } as const;
    const outcome = await this.streams.execute(communityDecider, communityId, command, context);
    await this.members.joinFounder(communityId, owner, context);
    await this.channels.createDefault(communityId, owner.userId, context);
    return outcome.render(communities, communityId);
  }

  private async canLink(productId: string | null, businessId: string | null): Promise<boolean> {
    return productId === null || (businessId !== null && (await this.products.isLiveProductOf(productId, businessId)));
  }

  private async createFounder(context: CallerContext): Promise<Founder> {
    const userId = requireUserId(context);
    const known = await this.users.find(userId);
    return { userId, memberId: idOf('mem', context.at, context.commandId), email: known?.email ?? null };
  }
}
