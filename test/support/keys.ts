import { Keys } from '../../src/engine/sealing/keys.js';

/** Any keys will do where none are looked at. */
export const TEST_KEYS = new Keys(Buffer.alloc(32, 'm'), Buffer.alloc(32, 'p'));
