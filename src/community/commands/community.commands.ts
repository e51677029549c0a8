import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { CountedStreams } from '../../engine/read-models/counted-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { Users } from '../../identity/users.js';
import { BusinessOwnership } from '../../kernel/business-ownership.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import { type CommunityContent, communityDecider, type CommunitySettings, type Founder } from '../domain/community.js';
import { ProductLookup } from '../product-lookup.js';
import { communities, type CommunityDocument } from '../projections/communities.js';
import { Channels } from './channels.steps.js';
import { Members } from './members.steps.js';
import { Onboarding } from './onboarding.steps.js';

export class CreateCommunity extends ContextCommand<CommunityContent, CommunityDocument, CallerContext> {}

@CommandHandler(CreateCommunity)
export class CreateCommunityHandler implements ICommandHandler<CreateCommunity> {
  constructor(
    private readonly streams: Streams,
    private readonly members: Members,
    private readonly channels: Channels,
    private readonly onboarding: Onboarding,
    private readonly users: Users,
    private readonly products: ProductLookup,
  ) {}

  async execute({ context, params }: CreateCommunity): Promise<CommunityDocument> {
    const { business: businessId } = context.caller;
    await this.products.requireProduct(params.productId, businessId);

    const communityId = idOf('com', context.at, context.commandId);
    const owner = await this.createFounder(context);
    const command = { type: 'CreateCommunity', communityId, businessId, owner, ...params } as const;
    const outcome = await this.streams.execute(communityDecider, communityId, command, context);
    await this.members.joinFounder(communityId, owner, context);
    await this.channels.createDefault(communityId, owner.userId, context);
    await this.onboarding.addDefaultTasks(communityId, context);
    return outcome.render(communities, communityId);
  }

  private async createFounder(context: CallerContext): Promise<Founder> {
    const userId = requireUserId(context);
    const known = await this.users.find(userId);
    return { userId, memberId: idOf('mem', context.at, context.commandId), email: known?.email ?? null };
  }
}

interface CommunityId {
  readonly id: string;
}

export class EditCommunity extends ContextCommand<
  CommunityId & { settings: Partial<CommunitySettings>; reopens: boolean },
  CommunityDocument,
  CallerContext
> {}

@CommandHandler(EditCommunity)
export class EditCommunityHandler implements ICommandHandler<EditCommunity> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly counted: CountedStreams,
    private readonly products: ProductLookup,
  ) {}

  async execute({ context: request, params }: EditCommunity): Promise<CommunityDocument> {
    const { id, settings, reopens } = params;
    const { community, context } = await this.access.require(id, request, reopens ? 'archive' : 'manage');
    await this.products.requireProduct(settings.productId ?? null, community.business);
    return this.counted.change(
      communityDecider,
      communities,
      id,
      { type: 'EditCommunity', settings, reopens },
      context,
    );
  }
}

export class ArchiveCommunity extends ContextCommand<CommunityId, CommunityDocument, CallerContext> {}

@CommandHandler(ArchiveCommunity)
export class ArchiveCommunityHandler implements ICommandHandler<ArchiveCommunity> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly counted: CountedStreams,
  ) {}

  async execute({ context: request, params: { id } }: ArchiveCommunity): Promise<CommunityDocument> {
    const { context } = await this.access.require(id, request, 'archive');
    return this.counted.change(communityDecider, communities, id, { type: 'ArchiveCommunity' }, context);
  }
}

export class TransferCommunity extends ContextCommand<
  CommunityId & { userId: string },
  CommunityDocument,
  CallerContext
> {}

@CommandHandler(TransferCommunity)
export class TransferCommunityHandler implements ICommandHandler<TransferCommunity> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly counted: CountedStreams,
    private readonly members: Members,
    private readonly ownership: BusinessOwnership,
  ) {}

  async execute({ context: request, params: { id, userId } }: TransferCommunity): Promise<CommunityDocument> {
    const { community, context } = await this.access.require(id, request, 'manage');
    const [from, to] = [await this.findParty(id, community.ownerId), await this.findParty(id, userId)];
    if (to === null) throw Rejection.unknownReference('user_id');
    const businessId = await this.findKeptBusiness(community.business, userId);
    const command = { type: 'TransferCommunity', from: from!, to, businessId } as const;
    const transferred = await this.counted.change(communityDecider, communities, id, command, context);
    const transfer = community.transfers + 1;
    if (userId !== community.ownerId) await this.members.exchangeRoles({ from: from!, to, transfer }, context);
    return transferred;
  }

  /** The business of an earlier owner would keep the owner's rights by its keys. */
  private async findKeptBusiness(business: string | null, userId: string): Promise<string | null> {
    return business !== null && (await this.ownership.isOwner(userId, business)) ? business : null;
  }

  /** Returns null unless the user is an active member. */
  private async findParty(communityId: string, userId: string) {
    const member = await this.access.findMember(communityId, userId);
    return member.status === 'active' ? { userId, memberId: member.id } : null;
  }
}

export const communityHandlers = [
  CreateCommunityHandler,
  EditCommunityHandler,
  ArchiveCommunityHandler,
  TransferCommunityHandler,
];
