import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { IdentityModule } from '../identity/identity.module.js';
import { CreateCommunityHandler } from './commands/community.commands.js';
import { AwardPointsHandler } from './commands/points.commands.js';
import { CreatePostHandler } from './commands/post.commands.js';
import { Standings } from './commands/standings.js';
import { CommunitiesController } from './http/communities.controller.js';
import { PointsController } from './http/points.controller.js';
import { PostsController } from './http/posts.controller.js';
import { Founders } from './processes/founders.js';
import { Products } from './processes/products.js';
import { ReservedPoints } from './processes/reserved-points.js';
import { communities, ListCommunitiesHandler, RetrieveCommunityHandler } from './projections/communities.js';
import { pointsAwards } from './projections/points-awards.js';
import { posts, RetrievePostHandler } from './projections/posts.js';

const commands = [CreateCommunityHandler, CreatePostHandler, AwardPointsHandler];
const queries = [RetrieveCommunityHandler, ListCommunitiesHandler, RetrievePostHandler];
const processes = [Founders, ReservedPoints];

@Module({
  imports: [CqrsModule, IdentityModule],
  controllers: [CommunitiesController, PostsController, PointsController],
  providers: [Standings, Products, ...commands, ...queries, ...processes],
})
export class CommunityModule {
  constructor(registry: Registry, founders: Founders, reservedPoints: ReservedPoints) {
    registry.add({ projections: [communities, posts, pointsAwards], reactors: [founders, reservedPoints] });
  }
}
