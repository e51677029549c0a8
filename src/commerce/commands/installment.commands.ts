import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { createChildContext } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { PaymentGateway } from '../payment-gateway.js';
import { listInstallmentLineIds, type OrderDocument, orders } from '../projections/orders.js';
import { assertPaid } from './assert-paid.js';
import { Installments } from './installments.steps.js';

export class CancelInstallments extends ContextCommand<{ orderId: string }, OrderDocument> {}

/** Ends the installments of an order. The lines of an order never change, so its document names them. */
@CommandHandler(CancelInstallments)
export class CancelInstallmentsHandler implements ICommandHandler<CancelInstallments> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly installments: Installments,
  ) {}

  /** @throws Rejection installments_ended when no line has installments that are unpaid or cancelled */
  async execute({ context, params: { orderId } }: CancelInstallments): Promise<OrderDocument> {
    const order = await this.reader.getOwned(orders, orderId, context);
    const ends: boolean[] = [];
    for (const id of listInstallmentLineIds(order))
      ends.push(await this.installments.cancelIfOpen(id, createChildContext(context, id)));
    if (!ends.includes(true)) throw createEndedRejection(order);
    return this.reader.getOwned(orders, orderId, context);
  }
}

interface NewMethod {
  readonly orderId: string;
  readonly methodToken: string;
}

/** Replaces the payment method of the installments, and retries the charge of each that is past due. */
export class ChangeInstallmentMethod extends ContextCommand<NewMethod, OrderDocument> {}

@CommandHandler(ChangeInstallmentMethod)
export class ChangeInstallmentMethodHandler implements ICommandHandler<ChangeInstallmentMethod> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly installments: Installments,
    private readonly gateway: PaymentGateway,
  ) {}

  /** @throws Rejection payment_method_invalid, installments_ended, payment_failed */
  async execute({ context, params: { orderId, methodToken } }: ChangeInstallmentMethod): Promise<OrderDocument> {
    const order = await this.reader.getOwned(orders, orderId, context);
    if (!this.gateway.acceptsMethod(methodToken, context.mode))
      throw new Rejection('payment_method_invalid', 'The payment method is unknown.', 'token');
    const open: string[] = [];
    for (const id of listInstallmentLineIds(order))
      if (await this.installments.changeMethodIfOpen(id, methodToken, createChildContext(context, id))) open.push(id);
    if (open.length === 0) throw createEndedRejection(order);
    for (const id of open)
      assertPaid(await this.installments.retry(id, createChildContext(context, id, 'retry')), 'token');
    return this.reader.getOwned(orders, orderId, context);
  }
}

/** The installments of a pending order begin when its first payment succeeds. */
function createEndedRejection(order: OrderDocument): Rejection {
  if (order.status === 'pending' && listInstallmentLineIds(order).length > 0)
    return new Rejection('concurrent_update', 'The first payment of the order has no result yet. Try again.');
  return new Rejection('installments_ended', 'No installment of the order is due any more.');
}

export const installmentHandlers = [CancelInstallmentsHandler, ChangeInstallmentMethodHandler];
