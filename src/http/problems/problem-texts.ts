import type { ProblemCode } from './problem-codes.js';
import { AUDIT_TEXTS } from './texts/audit-texts.js';
import { COMMERCE_TEXTS } from './texts/commerce-texts.js';
import { COMMUNITY_TEXTS } from './texts/community-texts.js';
import { IDENTITY_TEXTS } from './texts/identity-texts.js';
import type { ProblemText } from './texts/problem-text.js';
import { REQUEST_TEXTS } from './texts/request-texts.js';
import { SUBSCRIPTION_TEXTS } from './texts/subscription-texts.js';
import { WEBHOOK_TEXTS } from './texts/webhook-texts.js';

/** The text of every code. A code without a text does not compile. */
export const PROBLEM_TEXTS: Readonly<Record<ProblemCode, ProblemText>> = {
  ...REQUEST_TEXTS,
  ...IDENTITY_TEXTS,
  ...WEBHOOK_TEXTS,
  ...AUDIT_TEXTS,
  ...COMMERCE_TEXTS,
  ...SUBSCRIPTION_TEXTS,
  ...COMMUNITY_TEXTS,
};
