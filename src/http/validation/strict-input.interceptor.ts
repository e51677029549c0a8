import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, mergeMap, type Observable } from 'rxjs';
import { getApiRequest } from '../auth/request-context.js';
import { parseJsonBody } from './json-body.js';
import { takesBody, takesQuery } from './route-input.js';
import { createUnknownQueryRejection, validateBody } from './validation.js';

class NoFields {}

/** Rejects parameters for routes without a query, and fields for routes without a body, so that typos are noticed. */
@Injectable()
export class StrictInputInterceptor implements NestInterceptor {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query, body } = getApiRequest(execution);
    const names = Object.keys(query as object);
    if (names.length > 0 && !takesQuery(execution)) throw createUnknownQueryRejection(names);
    if (body === undefined || takesBody(execution)) return next.handle();
    return from(parseJsonBody(body).then((json) => validateBody(NoFields, json))).pipe(mergeMap(() => next.handle()));
  }
}
