import ipaddr from 'ipaddr.js';

/** Whether only this machine can reach a listener on `host`. A name other than `localhost` counts as reachable from elsewhere. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
