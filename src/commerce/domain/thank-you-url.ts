const MAX_CHARACTERS = 2_000;
const TRUNCATED = 'metadata_truncated';
/** The service sets `order`. It never sends `order_id` and `order_uuid`, which old integrations may read. */
const RESERVED_KEYS = new Set(['order', 'order_id', 'order_uuid', TRUNCATED]);

type Pair = readonly [string, string];

/**
 * Builds the URL to which the buyer is redirected after checkout: the order id, then the metadata in order, at most 2,000
 * encoded characters. The first key that does not fit ends the list; a left-out key sets `metadata_truncated=true`.
 */
export function buildThankYouUrl(
  redirectUrl: string,
  orderId: string,
  metadata: Readonly<Record<string, unknown>>,
): string {
  const base = setOrder(redirectUrl, orderId);
  const pairs = Object.entries(metadata).flatMap(toPairs);
  const allSent = pairs.length === Object.keys(metadata).length;
  const whole = appendPairs(base, pairs);
  if (allSent && whole.length <= MAX_CHARACTERS) return whole;

  const flag: Pair = [TRUNCATED, 'true'];
  const fitting = pairs.findIndex(
    (_, i) => appendPairs(base, [...pairs.slice(0, i + 1), flag]).length > MAX_CHARACTERS,
  );
  return appendPairs(base, [...(fitting === -1 ? pairs : pairs.slice(0, fitting)), flag]);
}

function setOrder(redirectUrl: string, orderId: string): string {
  const url = new URL(redirectUrl);
  for (const key of RESERVED_KEYS) url.searchParams.delete(key);
  url.searchParams.set('order', orderId);
  return url.href;
}

function toPairs([key, value]: [string, unknown]): readonly Pair[] {
  if (RESERVED_KEYS.has(key) || (typeof value === 'object' && value !== null)) return [];
  return [[key, String(value)]];
}

function appendPairs(url: string, pairs: readonly Pair[]): string {
  const whole = new URL(url);
  for (const [key, value] of pairs) whole.searchParams.append(key, value);
  return whole.href;
}
