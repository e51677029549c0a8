import type { Item } from '../api/api';
import { toText } from '../components/format';

/** Says in one sentence why a delivery failed, and what to do. Null when it succeeded. */
export function explainFailure({
  status,
  response_status: code,
  failure,
  attempt,
  max_attempts: most,
}: Item): string | null {
  if (status === 'success') return null;
  const detail = toText((failure as Item | null)?.['detail']);
  const isTriedAgain = Number(attempt) < Number(most) && status !== 'abandoned' && !isFinal(code);
  const rest = isTriedAgain ? ' The service tries again by itself.' : '';
  if (typeof code === 'number') return `${explainStatus(code)}${rest}`;
  return `${detail === '' ? 'No response came from your address.' : detail} Check that the address is reachable and responds within the timeout.${rest}`;
}

/** The service sends nothing again after a 4xx. */
function isFinal(code: unknown): boolean {
  return typeof code === 'number' && code >= 400 && code < 500;
}

function explainStatus(code: number): string {
  if (code === 401 || code === 403)
    return `Your address rejected the request with ${code}. Check the signing secret of your receiver, and any firewall before it.`;
  if (code === 404 || code === 410) return `Your address responded with ${code}. Check the path of the endpoint.`;
  if (code === 429) return 'Your address asked for fewer requests (429). Lower the requests a second of the endpoint.';
  if (code >= 300 && code < 400)
    return `Your address redirected the request (${code}). Redirects are not followed: enter the final address.`;
  if (isFinal(code))
    return `Your address rejected the request with ${code}, so it is not repeated. Correct the receiver, then replay the delivery.`;
  return `Your address failed with ${code}. Look into the log of your receiver.`;
}
