import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { defer, type Observable } from 'rxjs';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { StrictInputInterceptor } from '../validation/strict-input.interceptor.js';
import { ApiResponseInterceptor } from './api-response.interceptor.js';

/** Runs the interceptors of every request as one: Nest creates several objects for each interceptor and request. */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly response: ApiResponseInterceptor,
    private readonly idempotency: IdempotencyInterceptor,
    private readonly strictInput: StrictInputInterceptor,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const validated = { handle: () => defer(() => this.strictInput.intercept(execution, next)) };
    const once = { handle: () => defer(() => this.idempotency.intercept(execution, validated)) };
    return this.response.intercept(execution, once);
  }
}
