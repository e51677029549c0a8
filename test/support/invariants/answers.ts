import type { Reply } from '../api.js';

/** Members of `data` that are told once. */
const SECRETS = ['signing_secret', 'cart_token', 'secret'];

type Said = Pick<Reply, 'status' | 'text'>;

/** What was told under a key at first, without its secrets, and what it is told later. */
export interface Repetition {
  readonly key: string;
  readonly first: Said;
  readonly again: Said;
}

/** I10, I11: the same status and the same bytes, and no secret a second time. */
export function changedAnswers(repetitions: readonly Repetition[]): string[] {
  return repetitions.flatMap(({ key, first, again }) =>
    first.status === again.status && first.text === again.text
      ? []
      : [`${key} was answered ${first.status} ${first.text}, and then ${again.status} ${again.text}`],
  );
}

export function withoutSecrets(text: string): string {
  const { data, ...rest } = JSON.parse(text) as { readonly data: object };
  return JSON.stringify({ ...rest, data: Object.fromEntries(Object.entries(data).filter(([name]) => !SECRETS.includes(name))) });
}
