import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { addCounts, publish } from '../../kernel/public-event-definition.js';
import { CommunityAccess } from '../access/community-access.js';
import { communityHandlers } from '../commands/community.commands.js';
import { communityDecider } from '../domain/community.js';
import { CommunitiesController } from '../http/communities.controller.js';
import { CommunityTimers } from '../processes/community-timers.js';
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
    publish({
      fact: 'CommunityEdited',
      type: 'community.updated',
      summary: 'A community was changed',
      description: 'The settings of a community changed.',
      projection: communities,
      schema: communitySchema,
      complete: addCounts(communities),
      change: true,
    }),
    publish({
      fact: 'CommunityArchived',
      type: 'community.archived',
      summary: 'A community was archived',
      description: 'A community can only be read from now on.',
      projection: communities,
      schema: communitySchema,
      complete: addCounts(communities),
      change: true,
    }),
    publish({
      fact: 'CommunityReopened',
      type: 'community.reopened',
      summary: 'A community was reopened',
      description: 'An archived community can be changed again.',
      projection: communities,
      schema: communitySchema,
      complete: addCounts(communities),
      change: true,
    }),
    publish({
      fact: 'CommunityTransferred',
      type: 'community.transferred',
      summary: 'A community has another owner',
      description: 'A community was transferred to another member.',
      projection: communities,
      schema: communitySchema,
      complete: addCounts(communities),
      change: true,
    }),
  ],
  controllers: [CommunitiesController],
  providers: [CommunityAccess, ...communityHandlers, ...communityQueryHandlers],
  reactors: [EnrolFounders, CreateDefaults, ExchangeRoles, CommunityTimers],
  jobs: [CommunityTimers],
};
