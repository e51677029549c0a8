import { shortIdOf } from '../../kernel/ids.js';

const DELIVERY_ID = /^whd_([0-9a-z]{22})(\d\d)$/;

/** Derives the chain id. The same event and endpoint always have the same chain. */
export function deliveryChainIdOf(occurredAt: string, eventId: string, endpointId: string): string {
  return shortIdOf(Date.parse(occurredAt), eventId, endpointId);
}

/**
 * Derives the id of a delivery record. It contains the chain and the attempt, so that both are found without an index.
 */
export function deliveryIdOf(chainId: string, attempt: number): string {
  return `whd_${chainId}${String(attempt).padStart(2, '0')}`;
}

export function parseDeliveryId(deliveryId: string): { readonly chainId: string; readonly attempt: number } | null {
  const match = DELIVERY_ID.exec(deliveryId);
  return match === null ? null : { chainId: match[1]!, attempt: Number(match[2]) };
}

/** Returns the chain of a valid delivery id. Cheaper than `parseDeliveryId`. */
export function extractChainId(deliveryId: string): string {
  return deliveryId.slice('whd_'.length, -2);
}
