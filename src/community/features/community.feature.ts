import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { CommunityAccess } from '../access/community-access.js';
import { communityHandlers } from '../commands/community.commands.js';
import { communityDecider } from '../domain/community.js';
import { CommunitiesController } from '../http/communities.controller.js';
import { CreateDefaults } from '../processes/create-defaults.js';
import { EnrolFounders } from '../processes/enrol-founders.js';
import { ExchangeRoles } from '../processes/exchange-roles.js';
import { communities, communitySchema } from '../projections/communities.js';
import { communityProducts } from '../projections/community-products.js';
import { communityQueryHandlers } from '../queries/community.queries.js';

export const communityFeature: Feature = {
  streams: [auditStream(communityDecider, createAuditedResource('community', communities, ['member_count']))],
  projections: [communities, communityProducts],
  publicEvents: [
    publish({
      fact: 'CommunityCreated',
      type: 'community.created',
      summary: 'A community was created',
      description: 'A business created a community.',
      projection: communities,
      schema: communitySchema,
    }),
  ],
  controllers: [CommunitiesController],
  providers: [CommunityAccess, ...communityHandlers, ...communityQueryHandlers],
  reactors: [EnrolFounders, CreateDefaults, ExchangeRoles],
};
