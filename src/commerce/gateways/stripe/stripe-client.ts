import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type Stripe from 'stripe';

export interface StripeAccount {
  readonly secretKey: string;
  /** Null for Stripe's own address. */
  readonly apiBase: string | null;
  readonly timeoutMs: number;
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/** Creates a client that sends each request once. The package is loaded only when an account is configured. */
export async function createStripeClient({ secretKey, apiBase, timeoutMs }: StripeAccount): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe');
  const address = apiBase === null ? null : toAddress(new URL(apiBase));
  // A kept connection may be closed when the next request is sent, and its result is unknown then.
  const agent =
    address?.protocol === 'http' ? new HttpAgent({ keepAlive: false }) : new HttpsAgent({ keepAlive: false });
  return new StripeClient(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: withoutRetries(StripeClient.createNodeHttpClient(agent)),
    ...address,
  });
}

function toAddress({ protocol, hostname, port }: URL) {
  const name = protocol === 'http:' ? ('http' as const) : ('https' as const);
  return { protocol: name, host: hostname, port: port || (name === 'http' ? 80 : 443) };
}

/**
 * The package repeats a request whose connection was closed even without retries, and knows such an error by its code.
 * Whether the first request had an effect is unknown then, so the gateway asks instead.
 */
function withoutRetries(client: HttpClient): HttpClient {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: (...request) =>
      client.makeRequest(...request).catch((error: Error & { code?: string }) => {
        if (error.code !== undefined && CLOSED_CODES.has(error.code))
          throw new Error('The connection to Stripe was closed', { cause: error });
        throw error;
      }),
  };
}

const CLOSED_CODES = new Set(['ECONNRESET', 'EPIPE']);
