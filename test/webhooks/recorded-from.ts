import type { Fact, RecordedEvent } from '../../src/kernel/event.js';
import { createEvent } from '../support/jar.js';
import { NOW } from './facts.js';

let positions = 0;

/** Returns a fact as recorded at this time. Every fact gets a later position than the previous one. */
export function recordedFrom({ type, data }: Fact, at = NOW): RecordedEvent {
  const position = String(++positions).padStart(10, '0');
  return {
    ...createEvent(`${type} ${position}`, type, data, at),
    stream: 'deliveryChain-1',
    revision: positions,
    position,
  };
}
