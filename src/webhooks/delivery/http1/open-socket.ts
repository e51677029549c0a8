import type { LookupAddress } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LruCache } from '../../../engine/lru-cache.js';
import type { Deadline } from '../deadline.js';

const KEEP_ALIVE_PROBE_MS = 60_000;
const MAX_TLS_SESSIONS = 1_000;
const tlsSessions = new LruCache<string, Buffer>(MAX_TLS_SESSIONS);

/** The URL of a receiver and the checked addresses of its host. No other address is used. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/** Thrown when TCP and TLS together took longer than the limit. */
export class ConnectTimeout extends Error {}

/** Opens a TCP connection, with TLS for https. @throws ConnectTimeout, and the errors of the network and of TLS */
export async function openSocket(target: Target, timeoutMs: number, deadline: Deadline): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const isSecure = target.url.protocol === 'https:';
  const socket = isSecure ? connectSecurely(target) : connect(toTcpOptions(target));
  const giveUp = () => reject(new ConnectTimeout());
  const timer = setTimeout(giveUp, timeoutMs);
  deadline.setEnd(giveUp);
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
  socket.once(isSecure ? 'secureConnect' : 'connect', resolve).on('error', reject);
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    deadline.setEnd(null);
  }
}

function connectSecurely(target: Target): Socket {
  const { origin } = target.url;
  const { host, ...tcp } = toTcpOptions(target);
  const session = tlsSessions.get(origin);
  const socket = connectTls({
    ...tcp,
    host,
    // An address is not sent as the name of the server.
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    ...(session && { session }),
  });
  return socket.on('session', (ticket: Buffer) => tlsSessions.set(origin, ticket));
}

function toTcpOptions({ url, addresses }: Target) {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Node calls no lookup for an address.
  return { host: isIP(host) === 0 ? host : addresses[0]!, port, lookup: createLookup(addresses) };
}

/** Returns a lookup that knows only these addresses. */
function createLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address): LookupAddress => ({ address, family: isIP(address) }));
  return (_, { all }, callback) =>
    process.nextTick(() => (all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)));
}
