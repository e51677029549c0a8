import ipaddr from 'ipaddr.js';

/**
 * Returns whether only this machine can reach a listener on `host`. Every name except `localhost` counts as reachable
 * by others.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
