import type { Payment } from '../model/payments.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';

export const paymentActions: readonly Action[] = [
  { name: 'refund the whole', act: (world) => refund(world, null) },
  { name: 'refund a part', act: (world) => refund(world, 777) },
  { name: 'cancel installments', act: cancelInstallments },
  { name: 'change the card of installments', act: changeCard },
];

async function refund(world: World, amount: number | null): Promise<void> {
  const { choices, model } = world;
  if (model.payments.all.length === 0) return;
  const open = model.payments.all.filter((one) => one.kind === 'initial' && model.payments.refundableOf(one) > 0);
  await refundPayment(world, choices.pickMostly(open, model.payments.all), amount);
}

/** @param amount null for all that remains */
export async function refundPayment(world: World, payment: Payment, amount: number | null): Promise<void> {
  const { model, api, names } = world;
  world.record(`refund ${amount ?? 'all'} of ${payment.key}`);
  const { outcome, refund: made } = model.refunds.refund(payment, amount);
  const body = amount === null ? {} : { amount_cents: amount };
  const reply = await api.post(`/v1/commerce/payments/${names.idOf(payment.key)}/refunds`, body);
  world.expect(outcome, reply, made === null ? null : model.refunds.render(made));
}

async function cancelInstallments(world: World): Promise<void> {
  const { choices, model, api, names } = world;
  if (model.installments.all.length === 0) return;
  const { order } = choices.pick(model.installments.all);
  world.record(`cancel the installments of ${order.key}`);
  const outcome = model.installments.cancel(order);
  const reply = await api.post(`/v1/commerce/orders/${names.idOf(order.key)}/installments/cancellations`);
  world.expect(outcome, reply, outcome.status === 200 ? model.orders.render(order) : null);
}

async function changeCard(world: World): Promise<void> {
  const { choices, model, api, names } = world;
  if (model.installments.all.length === 0) return;
  const { order } = choices.pick(model.installments.all);
  const token = choices.pick(['tok_ok', 'tok_ok', 'tok_insufficient_funds']);
  world.record(`pay the installments of ${order.key} with ${token}`);
  const outcome = model.installments.changeCard(order, token);
  const path = `/v1/commerce/orders/${names.idOf(order.key)}/installments/payment-method`;
  const reply = await api.put(path, { token });
  world.expect(outcome, reply, outcome.status === 200 ? model.orders.render(order) : null);
}
