import type { Fact, RecordedEvent } from '../../../kernel/event.js';
import type { DeliveryChainEvent } from '../../../webhooks/domain/delivery-chain/facts.js';

export interface DeliveryResult {
  readonly id: string;
  readonly attempt: number;
  readonly endpoint: string;
  readonly status: 'success' | 'failed' | 'lost';
  readonly response_status: number | null;
}

/** Returns the result of the attempt that the event ends; null for any other event. */
export function toDeliveryResult(event: RecordedEvent): DeliveryResult | null {
  const { type, data } = event as Fact as DeliveryChainEvent;
  switch (type) {
    case 'AttemptSucceeded':
      return { ...describe(data), status: 'success', response_status: data.responseStatus };
    case 'AttemptFailed':
      return { ...describe(data), status: 'failed', response_status: data.responseStatus };
    case 'AttemptLost':
      return { ...describe(data), status: 'lost', response_status: null };
    default:
      return null;
  }
}

function describe({
  deliveryId: id,
  attempt,
  endpointId: endpoint,
}: Record<'deliveryId' | 'endpointId', string> & { attempt: number }) {
  return { id, attempt, endpoint };
}
