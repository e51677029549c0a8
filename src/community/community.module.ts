import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AreaProcesses, joinFeatures } from '../engine/feature.js';
import { Registry } from '../engine/registry.js';
import { communityUpcasters } from './domain/upcasters.js';
import { challengeFeature } from './features/challenge.feature.js';
import { channelFeature } from './features/channel.feature.js';
import { communityFeature } from './features/community.feature.js';
import { entitlementFeature } from './features/entitlement.feature.js';
import { inviteFeature } from './features/invite.feature.js';
import { libraryFeature } from './features/library.feature.js';
import { memberFeature } from './features/member.feature.js';
import { memberImportFeature } from './features/member-import.feature.js';
import { onboardingFeature } from './features/onboarding.feature.js';
import { pointsFeature } from './features/points.feature.js';
import { postFeature } from './features/post.feature.js';

export const communityFeatures = [
  communityFeature,
  memberFeature,
  memberImportFeature,
  entitlementFeature,
  inviteFeature,
  postFeature,
  challengeFeature,
  channelFeature,
  libraryFeature,
  onboardingFeature,
  pointsFeature,
];

const { controllers, providers, registrations } = joinFeatures(communityFeatures);

@Module({ imports: [CqrsModule], controllers, providers })
export class CommunityModule {
  constructor(registry: Registry, processes: AreaProcesses) {
    registry.add({ ...registrations, ...processes, upcasters: communityUpcasters });
  }
}
