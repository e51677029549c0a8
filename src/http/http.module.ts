import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AuthGuard } from './auth/auth.guard.js';
import { KnownCredentials } from './auth/known-credentials.js';
import { DocsModule } from './docs/docs.module.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { ProblemsController } from './problems/problems.controller.js';
import { ApiResponses } from './server/api-responses.js';
import { ConnectionLimits } from './server/connection-limits.js';
import { ConsistencyHeaders } from './server/consistency-headers.js';
import { ConsistencyTokens } from './server/consistency-tokens.js';
import { DocumentSerializer } from './server/document-serializer.js';
import { IngressChecks } from './server/ingress-checks.js';
import { RateLimit } from './server/rate-limit.js';
import { RootController } from './server/root.controller.js';
import { StrictInputGuard } from './validation/strict-input.guard.js';
import { ValidationPipe } from './validation/validation.pipe.js';

/** The order of checks: guard, idempotency key, query and body, handler. The guards run in the order of this list. */
@Module({
  imports: [DocsModule],
  controllers: [ProblemsController, RootController],
  providers: [
    IngressChecks,
    ConnectionLimits,
    ConsistencyTokens,
    KnownCredentials,
    RateLimit,
    DocumentSerializer,
    ConsistencyHeaders,
    ApiResponses,
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_GUARD, useClass: StrictInputGuard },
    { provide: APP_PIPE, useClass: ValidationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [ConnectionLimits],
})
export class HttpModule {}
