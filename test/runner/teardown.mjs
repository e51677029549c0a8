import { loadFrom } from './loader.mjs';

/** After a whole run, compares the codes that the operations have answered with those that they declare. */
export default async function teardown(_, { cacheDirectory }) {
  const file = process.env.ANSWERED_CODES_FILE;
  if (file === undefined) return;
  loadFrom(cacheDirectory);
  const { checkAnsweredCodes } = await import('../support/answered-codes.ts');
  const faults = checkAnsweredCodes(file);
  if (faults.length > 0) throw new Error(`The declared codes differ from the answered ones:\n${faults.join('\n')}`);
}
