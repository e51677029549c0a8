import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';

const PAGE_MAX = 25;
const WIDE_PAGE_MAX = 100;
const LIMIT_MAX = 100;
const DEFAULT_COUNT = 25;
const SEVERAL = 'edge:several';

/** A whole number in a query. Anything else is left as it is, for `IsInt` to refuse. */
export function Whole(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' && /^-?\d+$/.test(value) ? wholeOf(value) : value));
}

/** However many digits: too large is clamped, and never refused. */
function wholeOf(digits: string): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(digits), Number.MAX_SAFE_INTEGER));
}

/** A filter that takes several values as a repeated parameter: `?status=failed&status=abandoned`. Its property is an array. */
export function Several(): PropertyDecorator {
  return (target, property) => {
    Reflect.defineMetadata(SEVERAL, true, target, property);
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))(target, property);
  };
}

export function takesSeveral(query: object, property: string): boolean {
  return Reflect.getMetadata(SEVERAL, query, property) === true;
}

/** Query of a page list. Extend it for filters; read `page` and `perPage`. */
export class PageQuery {
  @Whole()
  @IsInt()
  @Min(1)
  page: number = 1;

  /** As sent. Read `perPage`: too large a value is clamped, never refused. */
  @Whole()
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

/** The page lists that go up to 100: payments, and those of the community. */
export class WidePageQuery extends PageQuery {
  protected override get maximum(): number {
    return WIDE_PAGE_MAX;
  }
}

/** Query of a cursor list. Extend it for filters; read `count` and `after`. */
export class CursorQuery {
  /** As sent. Read `count`: too large a value is clamped, never refused. */
  @Whole()
  @IsInt()
  @Min(1)
  limit: number = DEFAULT_COUNT;

  @IsOptional()
  @IsString()
  after?: string;

  get count(): number {
    return Math.min(this.limit, LIMIT_MAX);
  }

  get cursor(): string | null {
    return this.after ?? null;
  }
}
