import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { jsonOf } from './bodies.js';
import type { BodyClass } from './body-fields.js';
import { checkedBody, checkedQuery } from './validation.js';

export const FIT_FOR_AN_ID = /^[A-Za-z0-9_.-]{1,128}$/;
const NOBODYS_ID = '';

/** Parses and validates the arguments of a handler. It runs after the guards and the idempotency key. */
@Injectable()
export class EdgePipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type === 'body') return isClass(metatype) ? checkedBody(metatype, await jsonOf(value)) : jsonOf(value);
    if (type === 'query') return isClass(metatype) ? checkedQuery(metatype, value as object) : value;
    if (type === 'param') return idOf(value);
    return value;
  }
}

/** Returns an unknown id for a malformed one, so that it gets the 404 of unknown and foreign ids. */
function idOf(value: unknown): string {
  return typeof value === 'string' && FIT_FOR_AN_ID.test(value) ? value : NOBODYS_ID;
}

function isClass(metatype: ArgumentMetadata['metatype']): metatype is BodyClass {
  return metatype !== undefined && ![Object, String, Number, Boolean, Array].includes(metatype as never);
}
