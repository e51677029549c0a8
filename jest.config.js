export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // These tests need a browser: `npm run test:browser`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  extensionsToTreatAsEsm: ['.ts'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  transform: {},
  runtime: '<rootDir>/test/runner/runtime.mjs',
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testSequencer: '<rootDir>/test/runner/sequencer.mjs',
  globalTeardown: '<rootDir>/test/runner/teardown.mjs',
  testTimeout: 60_000,
  // One more than the two cores that the tests need: a worker often waits for a timer or another process.
  maxWorkers: Number(process.env.TEST_WORKERS ?? 3),
};
