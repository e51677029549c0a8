import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Observable } from 'rxjs';
import { requestOf } from './context.js';
import { refusedParameters } from './validation.js';

/** A route that takes no query refuses every parameter: a mistyped filter must not answer everything. */
@Injectable()
export class BareQueryInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const names = Object.keys(requestOf(execution).query as object);
    if (names.length > 0 && !takesQuery(execution)) throw refusedParameters(names);
    return next.handle();
  }
}

function takesQuery(execution: ExecutionContext): boolean {
  const taken = Reflect.getMetadata(ROUTE_ARGS_METADATA, execution.getClass(), execution.getHandler().name) as object | undefined;
  return Object.keys(taken ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
