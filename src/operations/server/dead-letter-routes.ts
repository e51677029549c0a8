import { integerBetween } from '../../config/settings.js';
import type { DeadLetterOperator } from '../operators/dead-letter-operator.js';
import { readBody, readQuery, requireInput, textUpTo } from './read-input.js';
import type { OpsRoute } from './route.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const NAME_LENGTH = 200;
const REASON_LENGTH = 1_000;

export function createDeadLetterRoutes(deadLetters: DeadLetterOperator): OpsRoute[] {
  return [
    {
      method: 'GET',
      path: '/ops/dead-letters',
      handle: async ({ input }) => {
        const parsers = { projection: textUpTo(NAME_LENGTH), limit: integerBetween(1, MAX_LIMIT) };
        const { projection, limit = DEFAULT_LIMIT } = readQuery(input, parsers);
        return { dead_letters: await deadLetters.list(projection, limit) };
      },
    },
    {
      method: 'GET',
      path: '/ops/dead-letters/:id',
      handle: async ({ params }) => ({ dead_letter: await deadLetters.get(params.id!) }),
    },
    { method: 'POST', path: '/ops/dead-letters/:id/retry', handle: ({ params }) => deadLetters.retry(params.id!) },
    {
      method: 'POST',
      path: '/ops/dead-letters/:id/skip',
      handle: ({ params, input }) => {
        const { reason } = readBody(input, { reason: textUpTo(REASON_LENGTH) });
        return deadLetters.skip(params.id!, requireInput('reason', reason));
      },
    },
  ];
}
