import { IsOptional } from 'class-validator';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { FilterText, PageQuery } from '../../http/validation/paging.js';
import type { SaleFilters } from '../queries/sales.queries.js';

/** The query of the lists about sales: orders, payments, refunds, invoices, subscriptions. Extend it for filters. */
export class SalesQuery extends PageQuery {
  @IsOptional()
  @IsDateOrTime()
  created_from?: string;

  @IsOptional()
  @IsDateOrTime()
  created_to?: string;

  @FilterText()
  buyer_email?: string;
}

/** @throws Rejection 400, when the range ends before it begins */
export function toSaleFilters({ created_from, created_to, buyer_email }: SalesQuery): SaleFilters {
  const created = parseDateRange(created_from, created_to, ['created_from', 'created_to']);
  return { created, buyerEmail: buyer_email ?? null };
}
