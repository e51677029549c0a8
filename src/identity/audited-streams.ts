import { type AuditedStream, auditStream, createAuditedResource, nameByKey } from '../kernel/audited-stream.js';
import { apiKeyDecider } from './domain/api-key.js';
import { businessDecider } from './domain/business.js';
import {
  firstKeyClaims,
  firstStartClaims,
  keySecretClaims,
  userEmailClaims,
  userSubjectClaims,
} from './domain/claim.js';
import { businessQuotaDecider, keyQuotaDecider } from './domain/ownership-quota.js';
import { subjectDecider } from './domain/subject.js';
import { userDecider } from './domain/user.js';
import { apiKeys } from './projections/api-keys.js';
import { businesses } from './projections/businesses.js';

const apiKey = createAuditedResource('api_key', apiKeys);
const business = createAuditedResource('business', businesses);
const user = createAuditedResource('user');

export const identityAuditedStreams: readonly AuditedStream[] = [
  auditStream(apiKeyDecider, apiKey),
  auditStream(keySecretClaims, nameByKey(apiKey, 'ownerId')),
  auditStream(keyQuotaDecider, nameByKey(apiKey, 'ownedId')),
  auditStream(firstKeyClaims, nameByKey(business, 'ownerId')),
  auditStream(businessDecider, business),
  auditStream(businessQuotaDecider, nameByKey(business, 'ownedId')),
  auditStream(firstStartClaims, nameByKey(business, 'ownerId')),
  auditStream(userDecider, user),
  auditStream(userEmailClaims, nameByKey(user, 'ownerId')),
  auditStream(userSubjectClaims, nameByKey(user, 'ownerId')),
  auditStream(subjectDecider, createAuditedResource('subject')),
];
