import type { Transport } from './transport.ts';

/** The base of all nouns and areas. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/** Encodes an id for a path. @throws for a text that would lead to another path */
export function segment(id: string): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`Not an id: ${JSON.stringify(id)}`);
  return encodeURIComponent(id);
}
