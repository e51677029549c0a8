import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { IdentityModule } from '../identity/identity.module.js';
import { AccessGuard } from './access.guard.js';
import { AnswerInterceptor } from './answer.interceptor.js';
import { Arrivals } from './arrivals.js';
import { Consistency } from './consistency.js';
import { EdgePipe } from './edge.pipe.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { KnownCredentials } from './known-credentials.js';
import { ProblemFilter } from './problem.filter.js';
import { ProblemsController } from './problems.controller.js';
import { RateLimit } from './rate-limit.js';
import { RootController } from './root.controller.js';
import { UndeclaredInterceptor } from './undeclared.interceptor.js';

/** The order of checks: guard, idempotency key, query and body, handler. Interceptors run in the order of this list. */
@Module({
  imports: [IdentityModule],
  controllers: [ProblemsController, RootController],
  providers: [
    Arrivals,
    Consistency,
    KnownCredentials,
    RateLimit,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: UndeclaredInterceptor },
    { provide: APP_PIPE, useClass: EdgePipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class HttpModule {}
