import base from '../../../jest.config.js';

/** Runs the same tests with the service on a log over gRPC and on MongoDB's protocol. */
export default {
  ...base,
  rootDir: '../../..',
  globalSetup: './test/support/external-stores/begin.mjs',
  globalTeardown: './test/support/external-stores/end.mjs',
  // Each worker uses a process with the stores too.
  maxWorkers: 2,
};
