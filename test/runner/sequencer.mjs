import TestSequencer from '@jest/test-sequencer';

/** The specs that take longest. Jest itself knows durations only after a first run. */
const LONGEST = [
  'access/table',
  'simulation/simulation',
  'http/fuzz',
  'webhooks/http/replay-jobs',
  'commerce/year/year',
];

/** Starts the longest specs first, so that none of them runs alone at the end. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const isLong = ({ path }) => LONGEST.some((name) => path.endsWith(`test/${name}.spec.ts`));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
