import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AreaProcesses, joinFeatures } from '../engine/feature.js';
import { Registry } from '../engine/registry.js';
import { historyFeature } from './features/history.feature.js';
import { proofFeature } from './features/proof.feature.js';

export const auditFeatures = [historyFeature, proofFeature];

const { controllers, providers, registrations } = joinFeatures(auditFeatures);

@Module({ imports: [CqrsModule], controllers, providers })
export class AuditModule {
  constructor(registry: Registry, processes: AreaProcesses) {
    registry.add({ ...registrations, ...processes });
  }
}
