import type { ProblemText } from './problem-text.js';

export const SUBSCRIPTION_TEXTS = {
  no_change: {
    meaning: 'The subscription already has this price or this plan, and no other change is pending.',
    action: 'Nothing is left to do.',
    repeat: 'never',
  },
  subscription_not_active: {
    meaning: 'Only an active subscription can change its price or its plan. `detail` has the current status.',
    action: 'Resume a paused subscription first. A cancelled one stays cancelled.',
    repeat: 'afterChange',
  },
  subscription_cancelling: {
    meaning: 'The subscription ends with its paid period, so it cannot be changed or resumed.',
    action: 'Revoke the scheduled cancellation first.',
    repeat: 'afterChange',
  },
  subscription_not_pausable: {
    meaning: 'Only an active subscription without a scheduled cancellation can be paused.',
    action: 'Read the `status` of the subscription, and revoke a scheduled cancellation first.',
    repeat: 'afterChange',
  },
  subscription_not_paused: {
    meaning: 'The subscription is not paused, so it cannot be resumed.',
    action: 'Read the `status` of the subscription.',
    repeat: 'never',
  },
  subscription_already_cancelled: {
    meaning: 'The subscription is cancelled and stays so.',
    action: 'Nothing is left to do. The buyer can buy the product again.',
    repeat: 'never',
  },
  no_pending_change: {
    meaning: 'The subscription has no scheduled change of its price or plan.',
    action: 'Read the changes of the subscription: the change may have taken effect or may be withdrawn.',
    repeat: 'never',
  },
  no_scheduled_cancellation: {
    meaning: 'No cancellation of the subscription is scheduled, so none can be revoked.',
    action: 'Read the `cancel_at` of the subscription.',
    repeat: 'never',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
