import type { NounParts } from '../../engine/area-parts.js';
import { Communities } from '../commands/communities.steps.js';
import { communityHandlers } from '../commands/community.commands.js';
import { CommunityAccess } from '../community-access.js';
import { CommunitiesController } from '../http/communities.controller.js';
import { CreateDefaults } from '../processes/create-defaults.js';
import { EnrolFounders } from '../processes/enrol-founders.js';
import { ExchangeRoles } from '../processes/exchange-roles.js';
import { communities } from '../projections/communities.js';
import { communityProducts } from '../projections/community-products.js';
import { ListCommunitiesHandler, RetrieveCommunityHandler } from '../queries/community.queries.js';

export const communityParts: NounParts = {
  controllers: [CommunitiesController],
  providers: [CommunityAccess, Communities, ...communityHandlers, RetrieveCommunityHandler, ListCommunitiesHandler],
  projections: [communities, communityProducts],
  reactors: [EnrolFounders, CreateDefaults, ExchangeRoles],
};
