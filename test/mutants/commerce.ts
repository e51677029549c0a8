import type { Mutant } from './mutant.ts';

const ADVANCE = 'commerce/processes/timers/advance-test-clocks.ts';
const ADVANCE_SPECS = ['commerce/processes/advance-test-clocks.spec.ts'];
const START = 'commerce/processes/timers/start-timers.ts';
const START_SPECS = ['commerce/processes/start-timers.spec.ts'];
const SEARCH = 'commerce/gateways/stripe/intent-search.ts';
const SEARCH_SPECS = ['commerce/gateways/stripe/intent-search.spec.ts'];

/** Mutants of timers, settlements and payment gateways. */
export const commerce: readonly Mutant[] = [
  {
    name: 'a test clock runs timers of later times together with the first ones',
    file: ADVANCE,
    from: 'waiting.filter((timer) => timer.due === waiting[0]!.due).slice(0, MAX_TOGETHER)',
    to: 'waiting.slice(0, MAX_TOGETHER)',
    specs: ADVANCE_SPECS,
  },
  {
    name: 'a test clock passes a timer that has failed',
    file: ADVANCE,
    from: "for (const run of runs) if (run.status === 'rejected') throw run.reason;",
    to: 'void runs;',
    specs: ADVANCE_SPECS,
  },
  {
    name: 'the job of a test clock runs the timers of a request',
    file: ADVANCE,
    from: 'if (this.advancing.has(businessId))\n',
    to: "if (businessId === '')\n",
    specs: ADVANCE_SPECS,
  },
  {
    name: 'two timers of one noun run at the same time',
    file: ADVANCE,
    from: 'const nouns = [...Map.groupBy(next, ({ nounId }) => nounId).values()];',
    to: 'const nouns = next.map((timer) => [timer]);',
    specs: ADVANCE_SPECS,
  },
  {
    name: 'a rescheduled timer of a test clock runs at once',
    file: ADVANCE,
    from: 'await this.enqueue(timer._business, Date.parse(reschedule.at))',
    to: 'await this.enqueue(timer._business)',
    specs: ADVANCE_SPECS,
  },
  {
    name: 'only the first timer of an event starts',
    file: START,
    from: 'listStartedTimers(event)) await',
    to: 'listStartedTimers(event).slice(0, 1)) await',
    specs: START_SPECS,
  },
  {
    name: 'a test clock stops the timers of live mode',
    file: START,
    from: 'findFrozenTime({ business, mode })',
    to: "findFrozenTime({ business, mode: mode && 'test' })",
    specs: START_SPECS,
  },
  {
    name: 'a charge that is settled is asked for again',
    file: 'commerce/commands/settlements.steps.ts',
    from: "if (found.status !== 'unsettled') return found;",
    to: "if (found.status === 'unknown' || found.status === 'started') return found;",
    specs: ['commerce/processes/settlements.spec.ts'],
  },
  {
    name: 'a charge that Stripe dated before its request is not found',
    file: SEARCH,
    from: 'gte: toSeconds(addMs(at, -WINDOW_MS))',
    to: 'gte: toSeconds(at)',
    specs: SEARCH_SPECS,
  },
  {
    name: 'an outage of the search of Stripe counts as an empty result',
    file: SEARCH,
    from: "if (error.type === 'StripeInvalidRequestError') return { data: [] };\n  throw error;",
    to: 'void error;\n  return { data: [] };',
    specs: SEARCH_SPECS,
  },
  {
    name: 'an old signature of Stripe is refused only after its body',
    file: 'commerce/gateways/stripe/event-signatures.ts',
    from: 'return isRecent && SIGNATURE.test(header);',
    to: 'return SIGNATURE.test(header) || isRecent === null;',
    specs: ['commerce/http/stripe-signatures.spec.ts'],
  },
];
