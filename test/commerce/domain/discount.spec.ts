import {
  discountCodeIdOf,
  discountDecider,
  type DiscountEvent,
  type DiscountTerms,
} from '../../../src/commerce/domain/discount.js';
import { given } from '../../support/given.js';
import { EARLIER, NOW } from './facts.js';

const discountId = 'dsc_1';
const discount = {
  discountId,
  businessId: 'biz_1',
  mode: 'live',
  code: 'Spring',
  percentOff: 20,
  duration: 'repeating',
  months: 3,
} as const;
const created: DiscountEvent = { type: 'DiscountCreated', data: { ...discount, at: EARLIER } };
const deleted: DiscountEvent = { type: 'DiscountDeleted', data: { discountId, at: EARLIER } };
const abandoned: DiscountEvent = { type: 'DiscountAbandoned', data: { discountId, at: EARLIER } };

const create = { type: 'CreateDiscount', discount } as const;
const remove = { type: 'DeleteDiscount', discountId } as const;
const abandon = { type: 'AbandonDiscount', discountId } as const;

describe('A discount that does not exist', () => {
  it('is created', () =>
    given(discountDecider)
      .when(create)
      .then({ type: 'DiscountCreated', data: { ...discount, at: NOW } }));

  it('is abandoned', () =>
    given(discountDecider)
      .when(abandon)
      .then({ type: 'DiscountAbandoned', data: { discountId, at: NOW } }));

  it('is not deleted', () => given(discountDecider).when(remove).thenNothing());

  it.each<[string, Partial<DiscountTerms>]>([
    ['repeats without months', { months: null }],
    ['has months and applies once', { duration: 'once' }],
    ['has months and applies forever', { duration: 'forever' }],
  ])('is refused when it %s', (_, terms) =>
    given(discountDecider)
      .when({ ...create, discount: { ...discount, ...terms } })
      .thenRejects('validation_failed', 'months'),
  );
});

describe('An active discount', () => {
  it('is not created twice', () => given(discountDecider, created).when(create).thenNothing());
  it('is not abandoned', () => given(discountDecider, created).when(abandon).thenNothing());
  it('is deleted', () =>
    given(discountDecider, created)
      .when(remove)
      .then({ type: 'DiscountDeleted', data: { discountId, at: NOW } }));
});

describe('A deleted discount', () => {
  it('is not deleted twice', () => given(discountDecider, created, deleted).when(remove).thenNothing());
  it('is not created again', () => given(discountDecider, created, deleted).when(create).thenNothing());
});

describe('An abandoned discount', () => {
  it('is refused, because another discount has its code', () =>
    given(discountDecider, abandoned).when(create).thenRejects('discount_code_taken', 'code'));
});

describe('The code of a discount', () => {
  it('is the same in another letter case', () =>
    expect(discountCodeIdOf({ ...discount, code: 'SPRING' })).toBe(discountCodeIdOf(discount)));

  it('is another one in another business or mode', () => {
    const others = [{ ...discount, businessId: 'biz_2' }, { ...discount, mode: 'test' } as const, discount];
    expect(new Set(others.map(discountCodeIdOf)).size).toBe(3);
  });
});
