// Measures the CPU time of a checkout (a cart, a line and a checkout, each a request) with and without the change
// history: two services, one of them without the audit index and the hash chain, in short interleaved slices. The CPU time
// of a slice includes the work after the responses.
import { join } from 'node:path';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { round, summarize } from './numbers.ts';
import { MeasuredShop } from './shop/measured-shop.ts';
import { IN_FLIGHT } from './shop/shops.ts';

const ROUNDS = 16;
const CHECKOUTS = 100;
const WITHOUT_HISTORY = `--import=${join(import.meta.dirname, 'history/without-history.ts')}`;

const withHistory = await MeasuredShop.start();
const without = await MeasuredShop.start({ NODE_OPTIONS: WITHOUT_HISTORY });
try {
  const slices = await interleaveRounds(ROUNDS, {
    with: () => withHistory.buy(CHECKOUTS),
    without: () => without.buy(CHECKOUTS),
  });
  const ratio = round(computeMedianRatio(slices.with, slices.without, Number));
  const figures = { with_ms: summarize(slices.with), without_ms: summarize(slices.without), ratio };
  const conditions = { in_flight: IN_FLIGHT, rounds: ROUNDS, checkouts_per_slice: CHECKOUTS };
  console.log(JSON.stringify({ bench: 'history', machine: describeMachine(), ...conditions, figures }, null, 2));
} finally {
  await withHistory.stop();
  await without.stop();
}
