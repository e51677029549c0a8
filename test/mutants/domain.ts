import type { Mutant } from './mutant.ts';

/** Mutants of the deciders. */
export const domain: readonly Mutant[] = [
  {
    name: 'a replay job ends the hold of another job',
    file: 'webhooks/domain/delivery-chain/delivery-chain.ts',
    from: 'return isHeldBy(chain, event.data.replayJobId) ? { ...chain, heldBy: null } : chain;',
    to: 'return { ...chain, heldBy: null };',
    specs: ['webhooks/domain/delivery-chain/replay-hold.spec.ts'],
  },
  {
    name: 'the tenth invoice has a number with a digit too many',
    file: 'commerce/domain/invoice-numbers.ts',
    from: "String(numbers.assigned + 1 + i).padStart(DIGITS, '0')",
    to: "'0'.repeat(DIGITS - 1) + String(numbers.assigned + 1 + i)",
    specs: ['commerce/domain/invoice-numbers.spec.ts'],
  },
  {
    name: 'a Retry-After shortens the wait that the schedule asks for',
    file: 'webhooks/domain/retry-schedule.ts',
    from: 'Math.max(jittered, Math.min(retryAfterSeconds',
    to: 'Math.min(jittered, Math.min(retryAfterSeconds',
    specs: ['webhooks/domain/retry-schedule.spec.ts'],
  },
  {
    name: 'a delivery is retried after a 400',
    file: 'webhooks/domain/attempt-result.ts',
    from: 'if (status >= 400 && status < 500) return',
    to: 'if (status > 400 && status < 500) return',
    specs: [
      'webhooks/domain/delivery-chain/attempt-end.spec.ts',
      'webhooks/domain/delivery-chain/delivery-chain.spec.ts',
      'webhooks/domain/delivery-chain/replay-hold.spec.ts',
    ],
  },
  {
    name: 'a run marks its own open attempt as lost',
    file: 'webhooks/domain/delivery-chain/attempt-end.ts',
    from: 'owner.attempt < laterOwner.attempt',
    to: 'owner.attempt <= laterOwner.attempt',
    specs: [
      'webhooks/domain/delivery-chain/attempt-end.spec.ts',
      'webhooks/domain/delivery-chain/delivery-chain.spec.ts',
    ],
  },
  {
    name: 'retries continue after an endpoint was disabled and enabled',
    file: 'webhooks/domain/delivery-chain/attempt-drop.ts',
    from: "if (target.disabledTimes !== facts.disabledTimes) return 'endpoint_disabled';",
    to: '',
    specs: [
      'webhooks/domain/delivery-chain/delivery-chain.spec.ts',
      'webhooks/domain/delivery-chain/attempt-end.spec.ts',
    ],
  },
  {
    name: 'an event expires a moment too early',
    file: 'webhooks/domain/expiry.ts',
    from: '> DELIVERABLE_DAYS * DAY_MS',
    to: '>= DELIVERABLE_DAYS * DAY_MS',
    specs: [
      'webhooks/domain/delivery-chain/delivery-chain.spec.ts',
      'webhooks/domain/delivery-chain/replays-and-tests.spec.ts',
      'webhooks/domain/delivery-chain/replay-hold.spec.ts',
    ],
  },
  {
    name: 'a circuit breaker opens one failure too late',
    file: 'webhooks/domain/circuit-breaker.ts',
    from: 'failures_in_row >= FAILURE_THRESHOLD',
    to: 'failures_in_row > FAILURE_THRESHOLD',
    specs: ['webhooks/domain/circuit-breaker.spec.ts'],
  },
  {
    name: 'a replay is allowed beyond the last attempt',
    file: 'webhooks/domain/delivery-chain/replay-rules.ts',
    from: 'if (chain.attempts >= maxAttempts)',
    to: 'if (chain.attempts > maxAttempts)',
    specs: [
      'webhooks/domain/delivery-chain/replays-and-tests.spec.ts',
      'webhooks/domain/delivery-chain/delivery-chain.spec.ts',
    ],
  },
  {
    name: 'a billing period overflows a short month',
    file: 'commerce/domain/billing-period.ts',
    from: 'Math.min(anchorDay, countDays(month))',
    to: 'anchorDay',
    specs: ['commerce/domain/billing-period.spec.ts'],
  },
  {
    name: 'each award counts as a new level',
    file: 'community/domain/points.ts',
    from: 'level > calculateLevel(ledger.balance, levelRules)',
    to: 'level >= calculateLevel(ledger.balance, levelRules)',
    specs: ['community/domain/points.spec.ts'],
  },
  {
    name: 'a denied product keeps its status when it gets an image',
    file: 'commerce/domain/product.ts',
    from: "return approval === 'approved' ? sellerStatus : 'inactive';",
    to: 'return sellerStatus;',
    specs: ['commerce/domain/product-approval.spec.ts'],
  },
  {
    name: 'an approval activates a product that its seller deactivated',
    file: 'commerce/domain/product-review.ts',
    from: 'data: { productId: id, revision, status: sellerStatus, at }',
    to: "data: { productId: id, revision, status: 'active', at }",
    specs: ['commerce/domain/product-approval.spec.ts'],
  },
  {
    name: 'the discount of a line is rounded down',
    file: 'commerce/domain/money.ts',
    from: 'return Math.floor((cents * percent) / 100 + 0.5);',
    to: 'return Math.floor((cents * percent) / 100);',
    specs: ['commerce/domain/cart-discount.spec.ts'],
  },
  {
    name: 'a checkout uses a discount that was deleted',
    file: 'commerce/domain/cart-discount.ts',
    from: 'if (current?.isActive === false) throw',
    to: 'if (current === undefined) throw',
    specs: ['commerce/domain/cart-discount.spec.ts'],
  },
  {
    name: 'a discount is redeemed by every change of it',
    file: 'commerce/projections/discounts.ts',
    from: "status: 'deleted' },",
    to: "status: 'deleted', redemptions: discount.redemptions + 1 },",
    specs: ['commerce/http/discounts.spec.ts', 'commerce/http/cart-discounts.spec.ts'],
  },
];
