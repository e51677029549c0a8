import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { BusinessOwnership } from '../../kernel/business-ownership.js';
import { Bootstrap } from '../bootstrap.js';
import { CreateBusinessHandler } from '../commands/business.commands.js';
import { OwnershipQuotaSteps } from '../commands/ownership-quota.steps.js';
import { businessDecider } from '../domain/business.js';
import { firstKeyClaims, firstStartClaims } from '../domain/claim.js';
import { businessQuotaDecider } from '../domain/ownership-quota.js';
import { BusinessesController } from '../http/businesses.controller.js';
import { businesses } from '../projections/businesses.js';
import { ListBusinessesHandler } from '../queries/business.queries.js';
import { RecordedOwnership } from '../recorded-ownership.js';

const business = createAuditedResource('business', businesses);

export const businessFeature: Feature = {
  streams: [
    auditStream(businessDecider, business),
    auditStream(businessQuotaDecider, nameByKey(business, 'ownedId')),
    auditStream(firstKeyClaims, nameByKey(business, 'ownerId')),
    auditStream(firstStartClaims, nameByKey(business, 'ownerId')),
  ],
  projections: [businesses],
  controllers: [BusinessesController],
  providers: [
    Bootstrap,
    { provide: BusinessOwnership, useClass: RecordedOwnership },
    OwnershipQuotaSteps,
    CreateBusinessHandler,
    ListBusinessesHandler,
  ],
};
