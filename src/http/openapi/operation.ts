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
  /** The summary in the imperative: `Replay a delivery`. The operation id is derived from it: `replayDelivery`. */
  readonly sentence: string;
  /** The schema of `data`; for a list, the schema of each item. */
  readonly answer: Resource;
  /** A second status of success with the schema of its `data`, or null. */
  readonly also: Also | null;
}

/** Adds the route to the document. Everything else in the document is derived from the route. */
export const Operation = (sentence: string, answer: Resource, { also = null }: { readonly also?: Also | null } = {}) =>
  SetMetadata(OPERATION, { sentence, answer, also } satisfies Described);

/** Adds problem codes to those that follow from the method, the access rule, the path and the body of the route. */
export const Refuses = (...codes: readonly Code[]) => SetMetadata(REFUSES, codes);

/** Returns the description of the operation, or null for a route that is not documented. */
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
