import { getMetadataStorage, IsInt, IsString, validate, ValidateNested } from 'class-validator';
import { cacheRules } from '../../../src/http/validation/rule-cache.js';

class Named {
  @IsString()
  name: unknown = 1;
}

class Counted extends Named {
  @IsInt()
  count: unknown = 'x';
}

class Outer {
  @ValidateNested({ each: true })
  readonly items = [new Counted(), new Counted()];
}

describe('The rules of a class', () => {
  const storage = getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  let searches = 0;
  beforeAll(() => {
    storage.getTargetValidationMetadatas = (...asked) => {
      searches++;
      return find(...asked);
    };
    cacheRules(storage);
  });
  afterAll(() => Object.assign(storage, { getTargetValidationMetadatas: find, groupByPropertyName: group }));

  it('are found once, with those of its superclass', async () => {
    const brokenNames = async () => (await validate(new Counted())).map(({ property }) => property).sort();
    expect(await brokenNames()).toEqual(['count', 'name']);
    expect(await brokenNames()).toEqual(['count', 'name']);
    expect(searches).toBe(1);
  });

  it('are found once for nested objects too', async () => {
    await validate(new Counted());
    searches = 0;
    const brokenNames = async () => (await validate(new Outer()))[0]!.children!.map(({ children }) => children!.length);
    expect(await brokenNames()).toEqual([2, 2]);
    expect(await brokenNames()).toEqual([2, 2]);
    expect(searches).toBe(1);
  });

  it('are searched again for groups of rules', async () => {
    searches = 0;
    await validate(new Named(), { groups: ['a'] });
    await validate(new Named(), { groups: ['a'] });
    expect(searches).toBe(2);
  });
});
