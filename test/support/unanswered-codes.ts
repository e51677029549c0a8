/** The decider, or another operation with the same rule, is tested with the code. */
const SAME_RULE = 'Another operation answers it by the same rule.';

/** The codes that an operation declares and no test sees, with the reason. A new entry needs a reason of its own. */
export const UNANSWERED_CODES: Readonly<Record<string, string>> = {
  'GET /v1/audit/exports/{id}/file export_not_completed': 'An export of a test completes before its file is read.',
  'POST /v1/community/posts/{post_id}/restore restore_expired': 'The post was deleted 30 days ago: see its decider.',

  'POST /v1/commerce/carts not_saleable': SAME_RULE,
  'POST /v1/commerce/carts plan_not_available': SAME_RULE,
  'POST /v1/commerce/carts offer_already_accepted': SAME_RULE,
  'PATCH /v1/commerce/carts/{id} not_saleable': SAME_RULE,
  'PATCH /v1/commerce/carts/{id} plan_not_available': SAME_RULE,
  'PATCH /v1/commerce/carts/{id} offer_already_accepted': SAME_RULE,
  'PATCH /v1/commerce/carts/{id} offer_expired': SAME_RULE,
  'PATCH /v1/commerce/carts/{id}/lines/{line_id} not_saleable': SAME_RULE,
  'PATCH /v1/commerce/carts/{id}/lines/{line_id} amount_not_supported': SAME_RULE,
  'POST /v1/commerce/carts/{id}/checkout offer_expired': SAME_RULE,
  'POST /v1/commerce/carts/{id}/checkout amount_not_supported': SAME_RULE,
  'POST /v1/commerce/subscriptions/{id}/plan amount_not_supported': SAME_RULE,

  'POST /v1/community/challenges/{challenge_id}/join not_a_member': SAME_RULE,
  'POST /v1/community/communities/{id}/onboarding-tasks community_archived': SAME_RULE,
  'POST /v1/community/communities/{id}/points community_archived': SAME_RULE,
  'POST /v1/community/invites/{invite_id}/accept banned': SAME_RULE,
  'POST /v1/community/invites/{invite_id}/accept invite_already_accepted': SAME_RULE,
  'POST /v1/community/library/resources/{resource_id}/downloads not_a_member': SAME_RULE,
};
