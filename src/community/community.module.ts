import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { IdentityModule } from '../identity/identity.module.js';
import { CreateCommunityHandler } from './commands/community.commands.js';
import { Ledgers } from './commands/ledgers.steps.js';
import { Members } from './commands/members.steps.js';
import { AwardPointsHandler } from './commands/points.commands.js';
import { CreatePostHandler } from './commands/post.commands.js';
import { CommunityAccess } from './community-access.js';
import { communityDeciders } from './domain/deciders.js';
import { CommunitiesController } from './http/communities.controller.js';
import { PointsController } from './http/points.controller.js';
import { PostsController } from './http/posts.controller.js';
import { AwardReservedPoints } from './processes/award-reserved-points.js';
import { CommerceProductLookup } from './processes/commerce-product-lookup.js';
import { EnrolFounders } from './processes/enrol-founders.js';
import { ProductLookup } from './product-lookup.js';
import { communities } from './projections/communities.js';
import { pointsAwards } from './projections/points-awards.js';
import { posts } from './projections/posts.js';
import { ListCommunitiesHandler, RetrieveCommunityHandler } from './queries/community.queries.js';
import { RetrievePostHandler } from './queries/post.queries.js';

const commands = [CreateCommunityHandler, CreatePostHandler, AwardPointsHandler];
const queries = [RetrieveCommunityHandler, ListCommunitiesHandler, RetrievePostHandler];
const processes = [EnrolFounders, AwardReservedPoints];

@Module({
  imports: [CqrsModule, IdentityModule],
  controllers: [CommunitiesController, PostsController, PointsController],
  providers: [
    CommunityAccess,
    Ledgers,
    Members,
    { provide: ProductLookup, useClass: CommerceProductLookup },
    ...commands,
    ...queries,
    ...processes,
  ],
})
export class CommunityModule {
  constructor(registry: Registry, enrolFounders: EnrolFounders, awardReservedPoints: AwardReservedPoints) {
    registry.add({
      deciders: communityDeciders,
      projections: [communities, posts, pointsAwards],
      reactors: [enrolFounders, awardReservedPoints],
    });
  }
}
