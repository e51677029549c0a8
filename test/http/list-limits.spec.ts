import '../../src/app.module.js';
import { getMetadataStorage } from 'class-validator';
import { fieldsOf, type BodyClass } from '../../src/http/body-fields.js';
import { takesSeveral } from '../../src/http/paging.js';

const classes = () => [...(getMetadataStorage() as unknown as { validationMetadatas: Map<BodyClass, unknown> }).validationMetadatas.keys()];

describe('Every list in a body', () => {
  it('has a limit', () => {
    const lists = classes().flatMap((type) =>
      [...fieldsOf(type)]
        .filter(([name, { isList }]) => isList && !takesSeveral(type.prototype as object, name))
        .map(([name, { maxItems }]) => [`${type.name}.${name}`, maxItems] as const),
    );

    expect(lists.length).toBeGreaterThan(2);
    expect(lists.filter(([, maxItems]) => maxItems === Infinity)).toEqual([]);
  });
});
