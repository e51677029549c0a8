import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Min, MinLength } from 'class-validator';
import { Describe } from '../openapi/describe.js';
import { IsDeclared, WithoutHidden } from './validators.js';

const PAGE_MAX = 25;
export const WIDE_PAGE_MAX = 100;
const LIMIT_MAX = 100;
const DEFAULT_COUNT = 25;
const MULTI_VALUE = 'edge:several';

/** Converts a query value to an integer. Other values are left for `IsInt` to reject. */
export function ToInteger(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d+$/.test(value) ? parseInteger(value) : value,
  );
}

/** Clamps a number of any length to the safe integers. */
function parseInteger(digits: string): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(digits), Number.MAX_SAFE_INTEGER));
}

/** Allows a repeated parameter: `?status=failed&status=abandoned`. The property is an array. */
export function MultiValue(): PropertyDecorator {
  return (target, property) => {
    Reflect.defineMetadata(MULTI_VALUE, true, target, property);
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))(target, property);
  };
}

/** Validates a filter by some of these values. */
export function ClosedSet(values: readonly string[] | (() => readonly string[])): PropertyDecorator {
  const IsKnown = typeof values === 'function' ? IsDeclared(values, { each: true }) : IsIn(values, { each: true });
  return applyDecorators(IsOptional(), MultiValue(), IsKnown);
}

/** Validates a filter by an id or another text. An empty text is invalid: it would look like no filter. */
export function FilterText(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsString(), MinLength(1), WithoutHidden());
}

export function isMultiValue(query: object, property: string): boolean {
  return Reflect.getMetadata(MULTI_VALUE, query, property) === true;
}

/** The query of a page list. Extend it for filters; read `page` and `perPage`. */
export class PageQuery {
  @Describe('The number of the page, from 1. A number after the last page returns the last page.')
  @ToInteger()
  @IsInt()
  @Min(1)
  page: number = 1;

  /** The value as sent. Read `perPage`, which is clamped to the maximum. */
  @ToInteger()
  @IsInt()
  @Min(1)
  per_page: number = DEFAULT_COUNT;

  get perPage(): number {
    return Math.min(this.per_page, this.maximum);
  }

  protected get maximum(): number {
    return PAGE_MAX;
  }
}

/** The query of page lists with up to 100 items per page: the lists of the community. */
export class WidePageQuery extends PageQuery {
  protected override get maximum(): number {
    return WIDE_PAGE_MAX;
  }
}

/** The query of a cursor list. Extend it for filters; read `count` and `cursor`. */
export class CursorQuery {
  /** The value as sent. Read `count`, which is clamped to the maximum. */
  @ToInteger()
  @IsInt()
  @Min(1)
  limit: number = DEFAULT_COUNT;

  @Describe('The `next_cursor` of the slice before; the first slice needs none.', 'MTc2OQ')
  @FilterText()
  after?: string;

  get count(): number {
    return Math.min(this.limit, LIMIT_MAX);
  }

  get cursor(): string | null {
    return this.after ?? null;
  }
}
