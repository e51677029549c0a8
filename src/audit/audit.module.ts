import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AreaProcesses, joinParts } from '../engine/area-parts.js';
import { Registry } from '../engine/registry.js';
import { auditDeciders } from './domain/deciders.js';
import { historyParts } from './parts/history.parts.js';
import { proofParts } from './parts/proof.parts.js';

const { controllers, providers, projections } = joinParts([historyParts, proofParts]);

@Module({ imports: [CqrsModule], controllers, providers })
export class AuditModule {
  constructor(registry: Registry, { reactors, jobs }: AreaProcesses) {
    registry.add({ deciders: auditDeciders, projections, reactors, jobs });
  }
}
