import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ChallengeAccess } from './challenge-access.js';
import { ChannelAccess } from './channel-access.js';
import { Awards } from './commands/awards.steps.js';
import { challengeHandlers } from './commands/challenge.commands.js';
import { Challenges } from './commands/challenges.steps.js';
import { channelHandlers } from './commands/channel.commands.js';
import { Channels } from './commands/channels.steps.js';
import { commentHandlers } from './commands/comment.commands.js';
import { Communities } from './commands/communities.steps.js';
import { communityHandlers } from './commands/community.commands.js';
import { ImportMembersHandler } from './commands/import.commands.js';
import { inviteHandlers } from './commands/invite.commands.js';
import { Invites } from './commands/invites.steps.js';
import { Ledgers } from './commands/ledgers.steps.js';
import { libraryHandlers } from './commands/library.commands.js';
import { LibraryResources } from './commands/library-resources.steps.js';
import { SetLikeHandler } from './commands/like.commands.js';
import { memberHandlers } from './commands/member.commands.js';
import { MemberImports } from './commands/member-imports.steps.js';
import { Members } from './commands/members.steps.js';
import { messageHandlers } from './commands/message.commands.js';
import { onboardingHandlers } from './commands/onboarding.commands.js';
import { Onboarding } from './commands/onboarding.steps.js';
import { pointsHandlers } from './commands/points.commands.js';
import { postHandlers } from './commands/post.commands.js';
import { Posts } from './commands/posts.steps.js';
import { Reversals } from './commands/reversals.steps.js';
import { CommunityAccess } from './community-access.js';
import { communityDeciders } from './domain/deciders.js';
import { Entitlements } from './entitlements.js';
import { ChallengesController } from './http/challenges.controller.js';
import { ChannelsController } from './http/channels.controller.js';
import { CommentsController } from './http/comments.controller.js';
import { CommunitiesController } from './http/communities.controller.js';
import { ImportsController } from './http/imports.controller.js';
import { InvitesController } from './http/invites.controller.js';
import { LeaderboardController } from './http/leaderboard.controller.js';
import { LibraryController } from './http/library.controller.js';
import { LikesController } from './http/likes.controller.js';
import { MembersController } from './http/members.controller.js';
import { MessagesController } from './http/messages.controller.js';
import { OnboardingController } from './http/onboarding.controller.js';
import { PointsController } from './http/points.controller.js';
import { PostsController } from './http/posts.controller.js';
import { InviteAccess } from './invite-access.js';
import { LibraryAccess } from './library-access.js';
import { MemberAddresses } from './member-addresses.js';
import { MemberReader } from './member-reader.js';
import { OnboardingReader } from './onboarding-reader.js';
import { PostAccess } from './post-access.js';
import { ActivateMembers } from './processes/activate-members.js';
import { AdmitInvitees } from './processes/admit-invitees.js';
import { AwardReservedPoints } from './processes/award-reserved-points.js';
import { CommerceProductLookup } from './processes/commerce-product-lookup.js';
import { CountChallengeProgress } from './processes/count-challenge-progress.js';
import { CreateDefaults } from './processes/create-defaults.js';
import { EndPurchasedMemberships } from './processes/end-purchased-memberships.js';
import { EnrolFounders } from './processes/enrol-founders.js';
import { ExchangeRoles } from './processes/exchange-roles.js';
import { FinishImports } from './processes/finish-imports.js';
import { GrantEntitlements } from './processes/grant-entitlements.js';
import { MailInvites } from './processes/mail-invites.js';
import { PayChallengeRewards } from './processes/pay-challenge-rewards.js';
import { ReverseRequestedPoints } from './processes/reverse-requested-points.js';
import { RewardOnboarding } from './processes/reward-onboarding.js';
import { ProductLookup } from './product-lookup.js';
import { challengeEntries } from './projections/challenge-entries.js';
import { challenges } from './projections/challenges.js';
import { channels } from './projections/channels.js';
import { comments } from './projections/comments.js';
import { communities } from './projections/communities.js';
import { invites } from './projections/invites.js';
import { libraryResources } from './projections/library-resources.js';
import { memberImports } from './projections/member-imports.js';
import { members } from './projections/members.js';
import { messages } from './projections/messages.js';
import { onboardingProgress } from './projections/onboarding-progress.js';
import { onboardingTasks } from './projections/onboarding-tasks.js';
import { pointsAwards } from './projections/points-awards.js';
import { posts } from './projections/posts.js';
import { challengeQueryHandlers } from './queries/challenge.queries.js';
import { channelQueryHandlers } from './queries/channel.queries.js';
import { ListCommentsHandler } from './queries/comment.queries.js';
import { ListCommunitiesHandler, RetrieveCommunityHandler } from './queries/community.queries.js';
import { RetrieveImportHandler } from './queries/import.queries.js';
import { inviteQueryHandlers } from './queries/invite.queries.js';
import { libraryQueryHandlers } from './queries/library.queries.js';
import { memberQueryHandlers } from './queries/member.queries.js';
import { messageQueryHandlers } from './queries/message.queries.js';
import { onboardingQueryHandlers } from './queries/onboarding.queries.js';
import { pointsQueryHandlers } from './queries/points.queries.js';
import { postQueryHandlers } from './queries/post.queries.js';
import { RecentStandings } from './recent-standings.js';

const commands = [
  ...communityHandlers,
  ...memberHandlers,
  ...onboardingHandlers,
  ImportMembersHandler,
  ...inviteHandlers,
  ...postHandlers,
  SetLikeHandler,
  ...commentHandlers,
  ...challengeHandlers,
  ...channelHandlers,
  ...libraryHandlers,
  ...messageHandlers,
  ...pointsHandlers,
];
const queries = [
  RetrieveCommunityHandler,
  ListCommunitiesHandler,
  ...postQueryHandlers,
  ListCommentsHandler,
  ...challengeQueryHandlers,
  ...channelQueryHandlers,
  ...libraryQueryHandlers,
  ...memberQueryHandlers,
  ...onboardingQueryHandlers,
  RetrieveImportHandler,
  ...pointsQueryHandlers,
  ...inviteQueryHandlers,
  ...messageQueryHandlers,
];
const processes = [
  EnrolFounders,
  CreateDefaults,
  AwardReservedPoints,
  ReverseRequestedPoints,
  ActivateMembers,
  EndPurchasedMemberships,
  ExchangeRoles,
  GrantEntitlements,
  FinishImports,
  RewardOnboarding,
  AdmitInvitees,
  CountChallengeProgress,
  PayChallengeRewards,
  MailInvites,
];

@Module({
  imports: [CqrsModule, IdentityModule],
  controllers: [
    ChallengesController,
    ChannelsController,
    LeaderboardController,
    LibraryController,
    MembersController,
    OnboardingController,
    ImportsController,
    InvitesController,
    MessagesController,
    CommentsController,
    CommunitiesController,
    LikesController,
    PointsController,
    PostsController,
  ],
  providers: [
    CommunityAccess,
    Awards,
    Ledgers,
    Reversals,
    Members,
    ChallengeAccess,
    Challenges,
    ChannelAccess,
    Communities,
    Entitlements,
    InviteAccess,
    Invites,
    LibraryAccess,
    MemberImports,
    MemberAddresses,
    MemberReader,
    RecentStandings,
    Onboarding,
    OnboardingReader,
    LibraryResources,
    Channels,
    PostAccess,
    Posts,
    { provide: ProductLookup, useClass: CommerceProductLookup },
    ...commands,
    ...queries,
    ...processes,
  ],
})
export class CommunityModule {
  constructor(
    registry: Registry,
    enrolFounders: EnrolFounders,
    createDefaults: CreateDefaults,
    awardReservedPoints: AwardReservedPoints,
    reverseRequestedPoints: ReverseRequestedPoints,
    activateMembers: ActivateMembers,
    endPurchasedMemberships: EndPurchasedMemberships,
    exchangeRoles: ExchangeRoles,
    grantEntitlements: GrantEntitlements,
    finishImports: FinishImports,
    rewardOnboarding: RewardOnboarding,
    admitInvitees: AdmitInvitees,
    countChallengeProgress: CountChallengeProgress,
    payChallengeRewards: PayChallengeRewards,
    mailInvites: MailInvites,
  ) {
    registry.add({
      deciders: communityDeciders,
      projections: [
        invites,
        libraryResources,
        memberImports,
        onboardingProgress,
        onboardingTasks,
        members,
        challenges,
        challengeEntries,
        channels,
        messages,
        comments,
        communities,
        posts,
        pointsAwards,
      ],
      reactors: [
        enrolFounders,
        createDefaults,
        awardReservedPoints,
        reverseRequestedPoints,
        activateMembers,
        endPurchasedMemberships,
        exchangeRoles,
        grantEntitlements,
        finishImports,
        rewardOnboarding,
        admitInvitees,
        countChallengeProgress,
        payChallengeRewards,
        mailInvites,
      ],
      jobs: [mailInvites, finishImports],
    });
  }
}
