import { SetMetadata } from '@nestjs/common';
import type { Resource } from '../../kernel/schema.js';
import type { ProblemCode } from '../problems/problem-codes.js';

const OPERATION = 'openapi:operation';
const REJECTS = 'openapi:refuses';
const REJECTS_FIELDS = 'openapi:refuses-fields';

interface AlternativeSuccess {
  readonly status: number;
  readonly resource: Resource;
}

export interface OperationDescription {
  /** The summary in the imperative: `Replay a delivery`. The operation id is derived from it: `replayDelivery`. */
  readonly summary: string;
  /** The schema of `data`; for a list, the schema of each item. */
  readonly resource: Resource;
  /** A second status of success with the schema of its `data`, or null. */
  readonly alternative: AlternativeSuccess | null;
  /** The media types of a response that is a file; null for JSON. */
  readonly mediaTypes: readonly string[] | null;
  /** The response is a stream of server-sent events. Each event is a public event. */
  readonly isStream: boolean;
  /** The items that a list returns first; null where the order is of no use to the caller. */
  readonly first: string | null;
  /** One or two sentences that say what the summary leaves open; null when it says all. */
  readonly about: string | null;
}

interface OperationOptions {
  readonly also?: AlternativeSuccess | null;
  readonly mediaTypes?: readonly string[] | null;
  readonly isStream?: boolean;
  readonly first?: string | null;
  readonly about?: string | null;
}

/** Adds the route to the document. Everything else in the document is derived from the route. */
export const Operation = (
  summary: string,
  resource: Resource,
  { also = null, mediaTypes = null, isStream = false, first = 'newest items', about = null }: OperationOptions = {},
) =>
  SetMetadata(OPERATION, {
    summary,
    resource,
    alternative: also,
    mediaTypes,
    isStream,
    first,
    about,
  } satisfies OperationDescription);

/** Adds problem codes to those that follow from the method, the access rule, the path and the body of the route. */
export const Rejects = (...codes: readonly ProblemCode[]) => SetMetadata(REJECTS, codes);

/** Adds problem codes that refuse a field of the body, where they refuse the caller on other routes. */
export const RejectsFields = (...codes: readonly ProblemCode[]) => SetMetadata(REJECTS_FIELDS, codes);

/** Returns the description of the operation, or null for a route that is not documented. */
export function readOperation(handler: object): OperationDescription | null {
  return (Reflect.getMetadata(OPERATION, handler) as OperationDescription | undefined) ?? null;
}

export function readRejections(handler: object): readonly ProblemCode[] {
  return (Reflect.getMetadata(REJECTS, handler) as readonly ProblemCode[] | undefined) ?? [];
}

export function readFieldRejections(handler: object): readonly ProblemCode[] {
  return (Reflect.getMetadata(REJECTS_FIELDS, handler) as readonly ProblemCode[] | undefined) ?? [];
}

/** `Add a line to a cart` → `addLineToCart`. */
export function toOperationId(summary: string): string {
  const words = summary.split(/[^A-Za-z0-9]+/).filter((word) => !/^(an?|the)$/i.test(word));
  return words
    .map((word, i) => (i === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1).toLowerCase()))
    .join('');
}
