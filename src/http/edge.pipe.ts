import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { jsonOf } from './bodies.js';
import type { BodyClass } from './body-fields.js';
import { checkedBody, checkedQuery } from './validation.js';

export const FIT_FOR_AN_ID = /^[A-Za-z0-9_.-]{1,128}$/;
const NOBODYS_ID = '';

/** What a handler takes from a request: bodies are parsed and checked here, behind the guards and the idempotency key. */
@Injectable()
export class EdgePipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type === 'body') return isClass(metatype) ? checkedBody(metatype, await jsonOf(value)) : jsonOf(value);
    if (type === 'query') return isClass(metatype) ? checkedQuery(metatype, value as object) : value;
    if (type === 'param') return idOf(value);
    return value;
  }
}

/** A text that can be no id leads to the 404 that unknown and foreign ids share. */
function idOf(value: unknown): string {
  return typeof value === 'string' && FIT_FOR_AN_ID.test(value) ? value : NOBODYS_ID;
}

function isClass(metatype: ArgumentMetadata['metatype']): metatype is BodyClass {
  return metatype !== undefined && ![Object, String, Number, Boolean, Array].includes(metatype as never);
}
