import { Areas } from './generated/resources.gen.ts';
import { checkOptions, type ClientOptions, type RequestOptions } from './options.ts';
import { Transport } from './transport.ts';

/** A request to a path for which there may be no method. */
export interface PathOptions extends RequestOptions {
  /** A list becomes a repeated parameter. */
  readonly query?: object;
  /** Is sent as JSON. */
  readonly body?: unknown;
}

export class Client extends Areas {
  /**
   * Sends a request to any path of the service, with the retries, keys and errors of the other methods. Returns the
   * `Response` of `fetch`, whose body is not read yet: `client.request('GET', '/v1/audit/exports/exp_…/file')`.
   * @throws ProblemError unless the status is 2xx
   */
  request(method: string, path: string, { query, body, ...options }: PathOptions = {}): Promise<Response> {
    return this.transport.open({ method: method.toUpperCase(), path, query, body, isKeyed: isKeyed(path) }, options);
  }
}

/**
 * Creates a client. Its operations are grouped by area and noun:
 * `createClient({ baseUrl, apiKey }).commerce.orders.list()`
 * @throws TypeError without a key, or for an address that is not one
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  return new Client(new Transport(options));
}

/** The community ignores the Idempotency-Key of a POST. */
function isKeyed(path: string): boolean {
  return !path.startsWith('/v1/community/');
}
