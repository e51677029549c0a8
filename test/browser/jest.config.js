import base from '../../jest.config.js';

/** Runs only the tests in a browser, one spec file after another. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
