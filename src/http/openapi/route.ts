import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ACCESS, isCommunity, ruleOfPath, type Rule } from '../access.js';
import type { Code } from '../codes.js';
import type { BodyClass } from '../body-fields.js';
import { KEY_REQUIRED } from '../idempotency-key.js';
import { CursorQuery, PageQuery } from '../paging.js';
import { describedIn, refusedIn, type Described } from './operation.js';

/** The metadata of a documented route. */
export interface Route extends Described {
  readonly path: string;
  readonly writes: boolean;
  readonly access: Rule;
  readonly idempotencyKey: 'required' | 'honoured' | null;
  readonly body: BodyClass | null;
  readonly query: BodyClass | null;
  readonly paging: 'page' | 'cursor' | null;
  readonly refuses: readonly Code[];
}

/** Returns the metadata of a route, or null for a route that is not documented. */
export function routeOf(controller: Type, method: string, path: string): Route | null {
  const handler = (controller.prototype as Record<string, object>)[method]!;
  const described = describedIn(handler);
  if (described === null) return null;

  const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const query = argument(controller, method, RouteParamtypes.QUERY);
  return {
    ...described,
    path,
    writes: verb !== RequestMethod.GET,
    access: accessOf(handler, controller, path),
    idempotencyKey: verb === RequestMethod.POST ? idempotencyOf(handler, path) : null,
    body: argument(controller, method, RouteParamtypes.BODY),
    query,
    paging: pagingOf(query),
    refuses: refusedIn(handler),
  };
}

function accessOf(handler: object, controller: Type, path: string): Rule {
  return (Reflect.getMetadata(ACCESS, handler) ?? Reflect.getMetadata(ACCESS, controller) ?? ruleOfPath(path)) as Rule;
}

function idempotencyOf(handler: object, path: string): Route['idempotencyKey'] {
  if (isCommunity(path)) return null;
  return Reflect.getMetadata(KEY_REQUIRED, handler) === true ? 'required' : 'honoured';
}

/** Returns the class of the parameter for the body or the query, or null. */
function argument(controller: Type, method: string, kind: RouteParamtypes): BodyClass | null {
  const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, { readonly index: number }>;
  const found = Object.entries(taken).find(([key]) => key.startsWith(`${kind}:`))?.[1];
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) as BodyClass[];
  return found === undefined ? null : types[found.index]!;
}

function pagingOf(query: BodyClass | null): Route['paging'] {
  if (query?.prototype instanceof PageQuery || query === PageQuery) return 'page';
  return query?.prototype instanceof CursorQuery || query === CursorQuery ? 'cursor' : null;
}
