import { SetMetadata } from '@nestjs/common';
import type { Code } from '../codes.js';
import type { Resource } from '../../kernel/schema.js';

const OPERATION = 'openapi:operation';
const REFUSES = 'openapi:refuses';

interface Also {
  readonly status: number;
  readonly answer: Resource;
}

export interface Described {
  /** What it does, in the imperative: `Replay a delivery`. The operation's id is made of it: `replayDelivery`. */
  readonly sentence: string;
  /** What `data` is; for a list, what each of its items is. */
  readonly answer: Resource;
  /** A second status of success, where there is one, and what `data` is then. */
  readonly also: Also | null;
}

/** Puts the route into the document. What else stands there follows from the route itself. */
export const Operation = (sentence: string, answer: Resource, { also = null }: { readonly also?: Also | null } = {}) =>
  SetMetadata(OPERATION, { sentence, answer, also } satisfies Described);

/** The refusals that are this route's own, beside those that follow from its method, its access, its path and its body. */
export const Refuses = (...codes: readonly Code[]) => SetMetadata(REFUSES, codes);

/** Null for a route that is not to be in the document. */
export function describedIn(handler: object): Described | null {
  return (Reflect.getMetadata(OPERATION, handler) as Described | undefined) ?? null;
}

export function refusedIn(handler: object): readonly Code[] {
  return (Reflect.getMetadata(REFUSES, handler) as readonly Code[] | undefined) ?? [];
}

/** `Add a line to a cart` → `addLineToCart`. */
export function idOfSentence(sentence: string): string {
  const words = sentence.split(/[^A-Za-z0-9]+/).filter((word) => !/^(an?|the)$/i.test(word));
  return words.map((word, i) => (i === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1).toLowerCase())).join('');
}
