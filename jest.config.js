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
  testTimeout: 30_000,
  maxWorkers: 2,
};
