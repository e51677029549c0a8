import { IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { ListPage, type Paging } from '../../engine/read-models/queries.js';
import type { PageResult } from '../../engine/read-models/read-model-reader.js';
import { type PaymentDocument, payments } from '../projections/payments.js';

interface DateRange {
  readonly from?: string;
  readonly to?: string;
}

interface PaymentFilters {
  readonly created: DateRange | null;
  /** A payment whose funds are not released yet never matches. */
  readonly cashFlow: DateRange | null;
  readonly buyerEmail: string | null;
}

export class ListPayments extends ContextQuery<
  { paging: Paging; filters: PaymentFilters },
  PageResult<PaymentDocument>
> {}

@QueryHandler(ListPayments)
export class ListPaymentsHandler implements IQueryHandler<ListPayments> {
  constructor(
    private readonly personal: PersonalFields,
    private readonly queries: QueryBus,
  ) {}

  execute({ context, params: { paging, filters } }: ListPayments): Promise<PageResult<PaymentDocument>> {
    const { created, cashFlow, buyerEmail } = filters;
    const filter = {
      ...(created !== null && { created_at: created }),
      ...(cashFlow !== null && { cash_flow_at: cashFlow }),
      ...(buyerEmail !== null && { 'buyer.email.hash': this.personal.hash(buyerEmail) }),
    };
    return this.queries.execute(new ListPage(payments, context, paging, filter));
  }
}
