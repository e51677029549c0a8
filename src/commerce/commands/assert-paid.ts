import { Rejection } from '../../kernel/rejection.js';
import type { Payment } from '../domain/payment.js';

/**
 * Refuses the request that waited for a payment which failed. @param param the field that names the payment method
 * @throws Rejection payment_failed
 */
export function assertPaid(payment: Payment | null, param?: string): void {
  if (payment?.status !== 'failed') return;
  const { code, detail } = payment.failure;
  throw Rejection.of('payment_failed', detail, [{ code, detail, ...(param !== undefined && { param }) }]);
}
