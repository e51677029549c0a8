import { fieldsFor } from '../../../src/http/validation/body-fields.js';
import { isMultiValue } from '../../../src/http/validation/paging.js';
import { findBodyClasses } from '../support/body-classes.js';

describe('Every list in a body', () => {
  it('has a maximum length', async () => {
    const lists = (await findBodyClasses()).flatMap((type) =>
      [...fieldsFor(type)]
        .filter(([name, { isList }]) => isList && !isMultiValue(type.prototype as object, name))
        .map(([name, { maxItems }]) => [`${type.name}.${name}`, maxItems] as const),
    );

    expect(lists.length).toBeGreaterThan(2);
    expect(lists.filter(([, maxItems]) => maxItems === Infinity)).toEqual([]);
  });
});
