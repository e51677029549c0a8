/** What every store has to keep. The run says where it was kept: the runner names nothing that passes. */
export function contract(name: string, tests: () => void): void {
  describe(name, () => {
    // Nothing of what is skipped as a whole is run.
    beforeAll(() => void process.stderr.write(`kept: ${name}\n`));
    tests();
  });
}

/** A store that is not there. */
export function contractSkipped(name: string, why: string): void {
  process.stderr.write(`skipped: ${name}: ${why}\n`);
  describe.skip(name, () => it.todo('keeps the contract'));
}
