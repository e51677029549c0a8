import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ACCESS, type AccessRule, ruleForPath } from '../auth/access.js';
import { KEY_REQUIRED } from '../idempotency/idempotency-key.js';
import { isKeyed } from '../idempotency/keyed-post.js';
import type { ProblemCode } from '../problems/problem-codes.js';
import type { BodyClass } from '../validation/body-fields.js';
import { CursorQuery, PageQuery } from '../validation/paging.js';
import { type OperationDescription, readFieldRejections, readOperation, readRejections } from './operation.js';

export interface Route extends OperationDescription {
  readonly path: string;
  readonly writes: boolean;
  readonly access: AccessRule;
  readonly idempotencyKey: 'required' | 'honoured' | null;
  readonly body: BodyClass | null;
  readonly query: BodyClass | null;
  readonly paging: 'page' | 'cursor' | null;
  readonly rejects: readonly ProblemCode[];
  readonly rejectsFields: readonly ProblemCode[];
}

/** Returns the metadata of a route, or null for a route that is not documented. */
export function readRoute(controller: Type, method: string, path: string): Route | null {
  const handler = (controller.prototype as Record<string, object>)[method]!;
  const described = readOperation(handler);
  if (described === null) return null;

  const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const query = findArgumentType(controller, method, RouteParamtypes.QUERY);
  return {
    ...described,
    path,
    writes: verb !== RequestMethod.GET,
    access: readAccess(handler, controller, path),
    idempotencyKey: readIdempotencyRule(handler),
    body: findArgumentType(controller, method, RouteParamtypes.BODY),
    query,
    paging: readPaging(query),
    rejects: readRejections(handler),
    rejectsFields: readFieldRejections(handler),
  };
}

function readAccess(handler: object, controller: Type, path: string): AccessRule {
  return (Reflect.getMetadata(ACCESS, handler) ??
    Reflect.getMetadata(ACCESS, controller) ??
    ruleForPath(path)) as AccessRule;
}

function readIdempotencyRule(handler: object): Route['idempotencyKey'] {
  if (!isKeyed(handler)) return null;
  return Reflect.getMetadata(KEY_REQUIRED, handler) === true ? 'required' : 'honoured';
}

/** Returns the class of the parameter for the body or the query, or null. */
function findArgumentType(controller: Type, method: string, kind: RouteParamtypes): BodyClass | null {
  const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { readonly index: number }
  >;
  const found = Object.entries(taken).find(([key]) => key.startsWith(`${kind}:`))?.[1];
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) as BodyClass[];
  return found === undefined ? null : types[found.index]!;
}

function readPaging(query: BodyClass | null): Route['paging'] {
  if (query?.prototype instanceof PageQuery || query === PageQuery) return 'page';
  return query?.prototype instanceof CursorQuery || query === CursorQuery ? 'cursor' : null;
}
