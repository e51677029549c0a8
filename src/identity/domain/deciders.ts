import { apiKeyDecider } from './api-key.js';
import { businessDecider } from './business.js';
import { firstKeyClaims, firstStartClaims, keySecretClaims, userEmailClaims, userSubjectClaims } from './claim.js';
import { businessQuotaDecider, keyQuotaDecider } from './ownership-quota.js';
import { subjectDecider } from './subject.js';
import { userDecider } from './user.js';

export const identityDeciders = [
  apiKeyDecider,
  businessDecider,
  businessQuotaDecider,
  firstKeyClaims,
  firstStartClaims,
  keyQuotaDecider,
  keySecretClaims,
  userEmailClaims,
  userSubjectClaims,
  subjectDecider,
  userDecider,
] as const;
