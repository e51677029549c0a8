import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { schemaForClass } from '../../../src/http/openapi/class-schema.js';
import { MultiValue, PageQuery } from '../../../src/http/validation/paging.js';

class NestedBody {
  @IsInt()
  @Min(1)
  @Max(3)
  count!: number;
}

class BodyWithParts {
  @IsString()
  @Length(1, 20)
  name!: string;

  @IsOptional()
  @IsIn(['a', 'b'])
  kind?: string | null;

  @ValidateIf((_, value) => value !== undefined)
  @ValidateNested({ each: true })
  @Type(() => NestedBody)
  parts?: NestedBody[];

  @ValidateIf(({ kind }: BodyWithParts) => kind !== undefined)
  @IsString()
  reason?: string | null;
}

class Filters extends PageQuery {
  @IsOptional()
  @MultiValue()
  @IsIn(['failed'], { each: true })
  status?: string[];
}

class Odd {
  @ValidateBy({ name: 'isOdd', validator: { validate: () => true } })
  value!: unknown;
}

describe('The schema of a body', () => {
  const { properties, required, additionalProperties } = schemaForClass(BodyWithParts);

  it('requires the fields that are not optional, and allows no other field', () =>
    expect([required, additionalProperties]).toEqual([['name'], false]));

  it('has the limits of the rules', () =>
    expect(properties.name).toEqual({ type: 'string', minLength: 1, maxLength: 20 }));

  it('allows null where the rules are skipped for null', () =>
    expect(properties.kind).toEqual({ type: ['string', 'null'], enum: ['a', 'b', null] }));

  it('describes nested objects and lists of objects', () =>
    expect(properties.parts).toEqual({ type: 'array', items: expect.objectContaining({ required: ['count'] }) }));

  it('does not require a field that depends on another field', () =>
    expect(properties.reason).toEqual({ type: ['string', 'null'] }));

  it('cannot be created for a rule without a schema', () =>
    expect(() => schemaForClass(Odd)).toThrow('No schema is known for the rule isOdd of Odd.value'));
});

describe('The schema of a query', () => {
  const { properties, required } = schemaForClass(Filters);

  it('does not require a field with a default, and contains the default', () =>
    expect([required, properties.page]).toMatchObject([undefined, { type: 'integer', minimum: 1, default: 1 }]));

  it('has a list for a filter that allows several values', () =>
    expect(properties.status).toMatchObject({ items: { enum: ['failed'] } }));
});
