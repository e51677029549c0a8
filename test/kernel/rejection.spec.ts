import { type Owned, requireOwned } from '../../src/kernel/ownership.js';
import { Rejection } from '../../src/kernel/rejection.js';
import { createContext } from '../support/jar.js';

describe('A rejection', () => {
  it('names the rejected field', () => {
    expect(new Rejection('currency_mismatch', 'Another currency.', 'plan_id').errors).toEqual([
      { code: 'currency_mismatch', detail: 'Another currency.', param: 'plan_id' },
    ]);
  });

  it('names no field when the whole request is rejected', () => {
    expect(new Rejection('cart_empty', 'The cart is empty.').errors).toEqual([]);
  });

  it('can name several fields, each with its own code', () => {
    const faults = [
      { code: 'required', detail: 'missing', param: 'name' },
      { code: 'too_long', detail: 'too long', param: 'text' },
    ];
    expect(Rejection.of('validation_failed', 'Two fields are wrong.', faults)).toMatchObject({
      code: 'validation_failed',
      errors: faults,
    });
  });

  it('does not reveal whether a referenced resource exists', () => {
    expect(Rejection.unknownReference('product_id')).toMatchObject({
      code: 'validation_failed',
      errors: [{ code: 'not_found', detail: 'not found', param: 'product_id' }],
    });
  });
});

describe('A document of a business', () => {
  const mine: Owned = { _business: 'biz_1', _mode: 'test' };

  it('is returned to its owner in its mode', () => {
    expect(requireOwned(mine, createContext('read'))).toBe(mine);
  });

  it.each<[string, Owned | null]>([
    ['unknown', null],
    ['foreign', { ...mine, _business: 'biz_2' }],
    ['of the other mode', { ...mine, _mode: 'live' }],
  ])('is not found when it is %s', (_, document) => {
    expect(() => requireOwned(document, createContext('read'))).toThrow(Rejection.notFound());
  });
});
