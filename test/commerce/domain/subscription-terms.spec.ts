import { calculateDiscount, toSubscriptionDiscount } from '../../../src/commerce/domain/subscription-terms.js';
import { EARLIER } from './facts.js';
import { monthlyTerms, PERIOD_END } from './subscription-facts.js';

const terms = { code: 'SPRING', percentOff: 25, months: null };

describe('The discount of a subscription', () => {
  it.each([
    ['once', null, 0],
    ['forever', null, 1225],
    ['repeating', 1, 0],
    ['repeating', 2, 1225],
  ] as const)('%s (%s months) takes %i off the first renewal', (duration, months, cents) => {
    const discount = toSubscriptionDiscount({ ...terms, duration, months }, EARLIER);

    expect(calculateDiscount(monthlyTerms, discount, PERIOD_END)).toBe(cents);
  });
});
