import type { ApiResponse } from '../api.js';

/** Members of `data` that only the first response shows. */
const SECRETS = ['signing_secret', 'cart_token', 'secret'];

type ResponseText = Pick<ApiResponse, 'status' | 'text'>;

/** The first response under an idempotency key, without its secrets, and a later response. */
export interface Repetition {
  readonly key: string;
  readonly first: ResponseText;
  readonly again: ResponseText;
}

/** I10, I11: finds repeated responses with another status, other bytes or a secret. */
export function findChangedResponses(repetitions: readonly Repetition[]): string[] {
  return repetitions.flatMap(({ key, first, again }) =>
    first.status === again.status && first.text === again.text
      ? []
      : [`${key} was answered ${first.status} ${first.text}, then ${again.status} ${again.text}`],
  );
}

export function removeSecrets(text: string): string {
  const { data, ...rest } = JSON.parse(text) as { readonly data: object };
  return JSON.stringify({
    ...rest,
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !SECRETS.includes(name))),
  });
}
