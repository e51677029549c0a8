import { Keys } from '../../src/engine/encryption/keys.js';

/** Keys for tests that do not depend on their values. */
export const TEST_KEYS = new Keys(Buffer.alloc(32, 'm'), Buffer.alloc(32, 'p'));
