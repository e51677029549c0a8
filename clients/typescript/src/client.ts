import { Client } from './generated/resources.gen.ts';
import type { ClientOptions } from './options.ts';
import { Transport } from './transport.ts';

/**
 * Creates a client. Its operations are grouped by area and noun:
 * `createClient({ baseUrl, apiKey }).commerce.orders.list()`
 */
export function createClient(options: ClientOptions): Client {
  return new Client(new Transport(options));
}
