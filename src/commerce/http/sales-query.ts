import { IsOptional } from 'class-validator';
import { Describe } from '../../http/openapi/describe.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { FilterText, PageQuery } from '../../http/validation/paging.js';
import type { SaleFilters } from '../queries/sales.queries.js';

/** The query of the lists about sales: orders, payments, refunds, invoices, subscriptions. Extend it for filters. */
export class SalesQuery extends PageQuery {
  @Describe('Shows only what was created at this time or later; a date is its first moment in UTC.')
  @IsOptional()
  @IsDateOrTime()
  created_from?: string;

  @Describe('Shows only what was created at this time or earlier; a date includes its whole day in UTC.')
  @IsOptional()
  @IsDateOrTime()
  created_to?: string;

  @Describe('Shows only what belongs to the buyer with this e-mail address.', 'ada@example.com')
  @FilterText()
  buyer_email?: string;
}

/** @throws Rejection 400, when the range ends before it begins */
export function toSaleFilters({ created_from, created_to, buyer_email }: SalesQuery): SaleFilters {
  const created = parseDateRange(created_from, created_to, ['created_from', 'created_to']);
  return { created, buyerEmail: buyer_email ?? null };
}
