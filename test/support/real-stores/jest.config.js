import base from '../../../jest.config.js';

/** Runs the same tests with the service on a log over gRPC and on MongoDB's protocol. */
export default {
  ...base,
  rootDir: '../../..',
  globalSetup: './test/support/real-stores/begin.mjs',
  globalTeardown: './test/support/real-stores/end.mjs',
};
