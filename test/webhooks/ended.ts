import type { Fact, Recorded } from '../../src/kernel/event.js';
import { happened } from '../support/jar.js';
import { NOW } from './facts.js';

let positions = 0;

/** A fact as recorded at that time, each at a later position than the one before. */
export function ended({ type, data }: Fact, at = NOW): Recorded {
  const position = String(++positions).padStart(10, '0');
  return { ...happened(`${type} ${position}`, type, data, at), stream: 'chain-1', revision: positions, position };
}
