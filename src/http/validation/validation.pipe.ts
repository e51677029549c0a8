import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { RawBody } from '../server/ingress.js';
import type { BodyClass } from './body-fields.js';
import { parseJsonBody } from './json-body.js';
import { validateBody, validateQuery } from './validation.js';

export const ID_PATTERN = /^[A-Za-z0-9_.-]{1,128}$/;
const UNKNOWN_ID = '';

/** Parses and validates the arguments of a handler; a `RawBody` stays as it was sent. It runs after the guards and the idempotency key. */
@Injectable()
export class ValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (metatype === RawBody) return value;
    if (type === 'body')
      return isClass(metatype) ? validateBody(metatype, await parseJsonBody(value)) : parseJsonBody(value);
    if (type === 'query') return isClass(metatype) ? validateQuery(metatype, value as object) : value;
    if (type === 'param') return toId(value);
    return value;
  }
}

/** Returns an unknown id for a malformed one, so that it gets the 404 of unknown and foreign ids. */
function toId(value: unknown): string {
  return typeof value === 'string' && ID_PATTERN.test(value) ? value : UNKNOWN_ID;
}

function isClass(metatype: ArgumentMetadata['metatype']): metatype is BodyClass {
  return metatype !== undefined && ![Object, String, Number, Boolean, Array].includes(metatype as never);
}
