import type { Fact, Recorded } from '../../src/kernel/event.js';
import { happened } from '../support/jar.js';
import { NOW } from './facts.js';

let positions = 0;

/** Returns a fact as recorded at this time. Every fact gets a later position than the previous one. */
export function ended({ type, data }: Fact, at = NOW): Recorded {
  const position = String(++positions).padStart(10, '0');
  return { ...happened(`${type} ${position}`, type, data, at), stream: 'chain-1', revision: positions, position };
}
