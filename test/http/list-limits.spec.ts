import { fieldsOf } from '../../src/http/body-fields.js';
import { takesSeveral } from '../../src/http/paging.js';
import { bodyClasses } from './support/body-classes.js';

describe('Every list in a body', () => {
  it('has a maximum length', async () => {
    const lists = (await bodyClasses()).flatMap((type) =>
      [...fieldsOf(type)]
        .filter(([name, { isList }]) => isList && !takesSeveral(type.prototype as object, name))
        .map(([name, { maxItems }]) => [`${type.name}.${name}`, maxItems] as const),
    );

    expect(lists.length).toBeGreaterThan(2);
    expect(lists.filter(([, maxItems]) => maxItems === Infinity)).toEqual([]);
  });
});
