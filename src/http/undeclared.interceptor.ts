import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { from, mergeMap, type Observable } from 'rxjs';
import { jsonOf } from './bodies.js';
import { requestOf } from './context.js';
import { checkedBody, refusedQuery } from './validation.js';

class NoFields {}

/** A route that takes no query refuses every parameter, one that takes no body every field: what is mistyped must not go unnoticed. */
@Injectable()
export class UndeclaredInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query, body } = requestOf(execution);
    const names = Object.keys(query as object);
    if (names.length > 0 && !takes(execution, RouteParamtypes.QUERY)) throw refusedQuery(names);
    if (body === undefined || takes(execution, RouteParamtypes.BODY)) return next.handle();
    return from(jsonOf(body).then((json) => checkedBody(NoFields, json))).pipe(mergeMap(() => next.handle()));
  }
}

function takes(execution: ExecutionContext, what: RouteParamtypes): boolean {
  const taken = Reflect.getMetadata(ROUTE_ARGS_METADATA, execution.getClass(), execution.getHandler().name) as object | undefined;
  return Object.keys(taken ?? {}).some((key) => key.startsWith(`${what}:`));
}
