import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { requireBusiness } from '../../kernel/caller.js';
import type { DocumentOf } from '../../kernel/schema.js';
import { balanceIdOf, balances, type balanceSchema } from '../projections/balances.js';

type Balance = DocumentOf<typeof balanceSchema>;

export class RetrieveBalance extends ContextQuery<Record<never, never>, Balance> {}

@QueryHandler(RetrieveBalance)
export class RetrieveBalanceHandler implements IQueryHandler<RetrieveBalance> {
  constructor(private readonly reader: ReadModelReader) {}

  /** A business without sales has no balances. */
  async execute({ context }: RetrieveBalance): Promise<Balance> {
    const id = balanceIdOf(requireBusiness(context), context.mode);
    const found = await this.reader.get(balances, id, context.consistency);
    return { object: 'balance', balances: found?.balances ?? [] };
  }
}
