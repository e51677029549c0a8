import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { from, mergeMap, type Observable } from 'rxjs';
import { jsonOf } from './bodies.js';
import { requestOf } from './context.js';
import { takesBody, takesQuery } from './route-input.js';
import { checkedBody, refusedQuery } from './validation.js';

class NoFields {}

/** Rejects parameters for routes without a query, and fields for routes without a body, so that typos are noticed. */
@Injectable()
export class UndeclaredInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query, body } = requestOf(execution);
    const names = Object.keys(query as object);
    if (names.length > 0 && !takesQuery(execution)) throw refusedQuery(names);
    if (body === undefined || takesBody(execution)) return next.handle();
    return from(jsonOf(body).then((json) => checkedBody(NoFields, json))).pipe(mergeMap(() => next.handle()));
  }
}
