import type { Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import { describe, type DocumentOf, enumOf, id, integer, KIND, nullable, ref, resource } from '../../kernel/schema.js';
import type { InstallmentPlanEvent, InstallmentProgress } from '../domain/installment-plan-events.js';
import { progressFields, toInstallmentsDocument } from './order-installments.js';

/** The progress of one line of an order, which shows the sum of its lines as `installments`. */
export const installmentPlanSchema = resource('InstallmentPlan', {
  id: describe(id('li'), 'The id of the line of the order that is paid in parts.'),
  object: describe(enumOf('installment_plan'), KIND),
  order: describe(ref('order', 'ord'), 'The order of the line.'),
  number: describe(nullable(integer), 'The number of the part that was charged, from 1; null for a cancellation.', 2),
  payment: describe(nullable(ref('payment', 'pay')), 'The payment of the part; null when nothing was charged.'),
  invoice: describe(nullable(ref('invoice', 'inv')), 'The invoice of the part; null for a cancellation.'),
  ...progressFields,
});

type InstallmentPlanDocument = DocumentOf<typeof installmentPlanSchema>;
type Event = Extract<
  InstallmentPlanEvent,
  { type: 'InstallmentPaid' | 'InstallmentFailed' | 'InstallmentPlanCancelled' }
>;
type Charged = Extract<Event, { type: 'InstallmentPaid' | 'InstallmentFailed' }>;

/** Renders the public events of an installment plan. It is not a read model. */
export const installmentPlans: Projection<InstallmentPlanDocument, Event> = {
  name: 'installmentPlans',
  version: 1,
  id: ({ data }) => data.installmentPlanId,
  indexes: [],
  on: {
    InstallmentPaid: (_, { data }) => toDocument(data, data),
    InstallmentFailed: (_, { data }) => toDocument(data, data),
    InstallmentPlanCancelled: (_, { data }) => toDocument(data, null),
  },
};

/** Events of older versions do not have the progress. */
export function hasProgress({ data }: { readonly data: { readonly progress?: InstallmentProgress } }): boolean {
  return data.progress !== undefined;
}

function toDocument(
  { installmentPlanId, progress }: Event['data'],
  part: Charged['data'] | null,
): InstallmentPlanDocument {
  return {
    id: installmentPlanId,
    object: 'installment_plan',
    order: toReference('order', progress!.orderId),
    number: part?.number ?? null,
    payment: optionalReference('payment', part?.paymentId ?? null),
    invoice: optionalReference('invoice', part?.invoiceId ?? null),
    ...toInstallmentsDocument({ [installmentPlanId]: progress! })!,
  };
}
