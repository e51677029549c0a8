import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AreaProcesses, joinParts } from '../engine/area-parts.js';
import { Registry } from '../engine/registry.js';
import { IdentityModule } from '../identity/identity.module.js';
import { communityDeciders } from './domain/deciders.js';
import { challengeParts } from './parts/challenge.parts.js';
import { channelParts } from './parts/channel.parts.js';
import { communityParts } from './parts/community.parts.js';
import { entitlementParts } from './parts/entitlement.parts.js';
import { inviteParts } from './parts/invite.parts.js';
import { libraryParts } from './parts/library.parts.js';
import { memberParts } from './parts/member.parts.js';
import { memberImportParts } from './parts/member-import.parts.js';
import { onboardingParts } from './parts/onboarding.parts.js';
import { pointsParts } from './parts/points.parts.js';
import { postParts } from './parts/post.parts.js';

const { controllers, providers, projections } = joinParts([
  communityParts,
  memberParts,
  memberImportParts,
  entitlementParts,
  inviteParts,
  postParts,
  challengeParts,
  channelParts,
  libraryParts,
  onboardingParts,
  pointsParts,
]);

@Module({ imports: [CqrsModule, IdentityModule], controllers, providers })
export class CommunityModule {
  constructor(registry: Registry, { reactors, jobs }: AreaProcesses) {
    registry.add({ deciders: communityDeciders, projections, reactors, jobs });
  }
}
