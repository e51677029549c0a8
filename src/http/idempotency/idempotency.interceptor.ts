import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, mergeMap, type Observable } from 'rxjs';
import { StoreMetrics } from '../../engine/store-metrics.js';
import { reportAndIgnore } from '../../kernel/background-errors.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { type ClaimResult, Idempotency, type IdempotencyKey } from '../../kernel/idempotency.js';
import { ProcessId } from '../../kernel/process-id.js';
import { Rejection } from '../../kernel/rejection.js';
import { type ApiRequest, getApiRequest } from '../auth/request-context.js';
import { isUnknownOutcome } from '../problems/rejection-mapping.js';
import { ApiResponse, type ResponseBody, toApiResponse } from '../server/api-response.js';
import { takesBody } from '../validation/route-input.js';
import { checkStrictInput } from '../validation/strict-input.js';
import { computeFingerprint, KEY_REQUIRED, parseIdempotencyKey, scopeFor } from './idempotency-key.js';

const LEASE_MS = 30_000;

/** Runs a request once per idempotency key. It runs after the guards and before the body is validated. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: Idempotency,
    private readonly processId: ProcessId,
    private readonly store: EventStore,
    @Optional() private readonly metrics?: StoreMetrics,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = getApiRequest(execution);
    const checked = { handle: () => handleStrictly(execution, next) };
    const key = parseIdempotencyKey(request.raw.rawHeaders);
    if (key !== null) return from(this.runOnce(request, key, { execution, next: checked }));
    if (this.reflector.get(KEY_REQUIRED, execution.getHandler()) !== true) return checked.handle();
    throw new Rejection(
      'idempotency_key_required',
      'This operation needs an Idempotency-Key header.',
      'Idempotency-Key',
    );
  }

  private async runOnce(request: ApiRequest, text: string, { execution, next }: HandlerCall): Promise<unknown> {
    const reply = execution.switchToHttp().getResponse<FastifyReply>();
    const { caller } = request.context;
    const key = { scope: scopeFor(caller), key: text };
    const claim = {
      fingerprint: computeFingerprint(request, caller, takesBody(execution)),
      leaseMs: LEASE_MS,
      holder: this.processId.value,
    };
    const claimed = await this.idempotency.claim(key, claim);
    this.metrics?.onClaim(claimed.status);
    switch (claimed.status) {
      case 'started':
        if (reply.sent) return this.rejectLateClaim(key, claimed);
        return this.runClaimed(key, claimed, request, reply, next);
      case 'completed':
        void reply.header('idempotent-replayed', 'true');
        // The caller may not have received the token of the first response.
        request.context.consistency.recordWrite(await this.store.readHead());
        return new ApiResponse(claimed.response.status, JSON.parse(claimed.response.body) as ResponseBody);
      case 'in_progress':
        throw new Rejection('idempotency_key_in_progress', 'The first request under this key is still running.');
      case 'conflict':
        throw new Rejection('idempotency_key_conflict', 'This key was used for another request.');
    }
  }

  /** The caller got 503 before the key was claimed and may retry, so this request does not start. */
  private async rejectLateClaim(key: IdempotencyKey, { commandId, run }: StartedClaim): Promise<never> {
    await (run === 1 ? this.idempotency.release(key, commandId, run) : this.idempotency.suspend(key, commandId, run));
    throw new StoreUnavailable('the key was claimed after the request had been answered', false);
  }

  private async runClaimed(
    key: IdempotencyKey,
    claimed: StartedClaim,
    request: ApiRequest,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<ApiResponse> {
    const { commandId, at, run } = claimed;
    // The status of the route, read now: the request timeout may send another response later.
    const { statusCode } = reply;
    request.context = { ...request.context, commandId, at, resumed: run > 1 };
    passCrashPoint('after-claim-before-append');
    try {
      const answer = toApiResponse(await lastValueFrom(next.handle()), statusCode);
      passCrashPoint('after-command-before-answer');
      // The first response goes through JSON too, so that repeated responses are identical.
      const body = JSON.stringify(answer.body);
      const kept = await this.idempotency.complete(key, commandId, { status: answer.status, body });
      return new ApiResponse(kept.status, JSON.parse(kept.body) as ResponseBody, answer.secrets);
    } catch (error) {
      throw await this.releaseClaim(key, claimed, error);
    }
  }

  /**
   * Releases the key after a rejection. After an unknown outcome the claim stays, and the next request resumes the
   * same command. Resolves with the error for the caller.
   */
  private async releaseClaim(key: IdempotencyKey, { commandId, run }: StartedClaim, error: unknown): Promise<unknown> {
    const outcome = isUnknownOutcome(error) || run === 1 ? error : await this.confirmRejection(error);
    const isOver = !isUnknownOutcome(outcome) && !(run > 1 && isConflict(outcome));
    const released = isOver
      ? this.idempotency.release(key, commandId, run)
      : this.idempotency.suspend(key, commandId, run);
    // The lease expires by itself, and the caller needs the original error.
    await released.catch(reportAndIgnore({ kind: 'loop', name: 'idempotency keys' }));
    return outcome;
  }

  /**
   * An append of an earlier run may still be in flight. The rejection is final once the log confirms that it has no
   * such append.
   */
  private confirmRejection(refusal: unknown): Promise<unknown> {
    return this.store.confirmPosition().then(
      () => refusal,
      (error: unknown) => error,
    );
  }
}

/** Checks the input after the key is claimed, so that a repeated request gets the first response. */
function handleStrictly(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
  const checked = checkStrictInput(execution);
  return checked === null ? next.handle() : from(checked).pipe(mergeMap(() => next.handle()));
}

/** The conflict may be with an append of an earlier run of the same command. */
function isConflict(error: unknown): boolean {
  return error instanceof Rejection && error.code === 'concurrent_update';
}

interface HandlerCall {
  readonly execution: ExecutionContext;
  readonly next: CallHandler;
}

type StartedClaim = Extract<ClaimResult, { status: 'started' }>;
