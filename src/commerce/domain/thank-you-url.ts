const MAX_CHARACTERS = 2_000;
const TRUNCATED = 'metadata_truncated';
/** The service sets `order`. It never sends `order_id` and `order_uuid`, which old integrations may read. */
const RESERVED_KEYS = new Set(['order', 'order_id', 'order_uuid', TRUNCATED]);

/** Returns the URL standard's serialization of a redirect URL, which a second serialization leaves unchanged. */
export function normalizeRedirectUrl(text: string): string {
  return new URL(text).href;
}

/**
 * Builds the URL to which the buyer is redirected after checkout: the order id, then the metadata in order, at most 2,000
 * characters as sent. The first key that does not fit ends the list; a left-out key sets `metadata_truncated=true`. The
 * query of the seller is kept byte for byte, because the seller may have signed it.
 */
export function buildThankYouUrl(
  redirectUrl: string,
  orderId: string,
  metadata: Readonly<Record<string, unknown>>,
): string {
  const order = encodeParameter('order', orderId);
  const parameters = Object.entries(metadata).flatMap(toParameters);
  const allSent = parameters.length === Object.keys(metadata).length;
  const whole = appendParameters(redirectUrl, [order, ...parameters]);
  if (allSent && whole.length <= MAX_CHARACTERS) return whole;

  const flag = encodeParameter(TRUNCATED, 'true');
  const space = MAX_CHARACTERS - appendParameters(redirectUrl, [order, flag]).length;
  return appendParameters(redirectUrl, [order, ...takeFitting(parameters, space), flag]);
}

function toParameters([key, value]: [string, unknown]): readonly string[] {
  if (RESERVED_KEYS.has(key) || (typeof value === 'object' && value !== null)) return [];
  return [encodeParameter(key, String(value))];
}

function encodeParameter(key: string, value: string): string {
  return new URLSearchParams([[key, value]]).toString();
}

function takeFitting(parameters: readonly string[], space: number): readonly string[] {
  let used = 0;
  const end = parameters.findIndex((parameter) => (used += parameter.length + 1) > space);
  return end === -1 ? parameters : parameters.slice(0, end);
}

/** Appends text to the query; a parsed query would be encoded again, and become longer. */
function appendParameters(redirectUrl: string, parameters: readonly string[]): string {
  const normalized = normalizeRedirectUrl(redirectUrl);
  const fragmentAt = normalized.includes('#') ? normalized.indexOf('#') : normalized.length;
  const base = normalized.slice(0, fragmentAt);
  return base + findSeparator(base) + parameters.join('&') + normalized.slice(fragmentAt);
}

function findSeparator(base: string): string {
  if (!base.includes('?')) return '?';
  return /[?&]$/.test(base) ? '' : '&';
}
