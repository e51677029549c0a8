export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  transform: {},
  runtime: '<rootDir>/test/runner/runtime.mjs',
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testTimeout: 30_000,
  maxWorkers: 2,
};
