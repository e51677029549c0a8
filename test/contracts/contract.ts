/**
 * Defines the tests that every store must pass. The run prints the names of the stores, because Jest does not print
 * passed tests.
 */
export function describeContract(name: string, tests: () => void): void {
  describe(name, () => {
    // Jest does not run this hook when all tests of the block are skipped.
    beforeAll(() => void process.stderr.write(`kept: ${name}\n`));
    tests();
  });
}

/** Reports an unavailable store. */
export function skipContract(name: string, reason: string): void {
  process.stderr.write(`skipped: ${name}: ${reason}\n`);
  describe.skip(name, () => it.todo('keeps the contract'));
}
