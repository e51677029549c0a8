import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { crashPoint } from '../kernel/crash-points.js';
import { EventStore, StoreUnavailable } from '../kernel/event-store.js';
import { Holder } from '../kernel/holder.js';
import { Idempotency, type Begun, type IdempotencyKey } from '../kernel/idempotency.js';
import { Rejection } from '../kernel/rejection.js';
import { isCommunity } from './access.js';
import { Answer, shown, type Envelope } from './answer.js';
import { requestOf, type EdgeRequest } from './context.js';
import { fingerprintOf, idempotencyKeyOf, KEY_REQUIRED, scopeOf } from './idempotency-key.js';
import { isUnknownOutcome } from './refusals.js';
import { takesBody } from './route-input.js';

const LEASE_MS = 30_000;

/** Runs a request once per idempotency key. It runs after the guards and before the body is validated. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: Idempotency,
    private readonly holder: Holder,
    private readonly store: EventStore,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(execution);
    if (request.method !== 'POST' || isCommunity(request.routeOptions.url ?? request.url)) return next.handle();

    const key = idempotencyKeyOf(request.raw.rawHeaders);
    if (key !== null) return from(this.once(request, key, { execution, next }));
    if (this.reflector.get(KEY_REQUIRED, execution.getHandler()) !== true) return next.handle();
    throw new Rejection('idempotency_key_required', 'This operation takes an Idempotency-Key header.', 'Idempotency-Key');
  }

  private async once(request: EdgeRequest, text: string, { execution, next }: Run): Promise<unknown> {
    const reply = execution.switchToHttp().getResponse<FastifyReply>();
    const { caller } = request.context;
    const key = { scope: scopeOf(caller), key: text };
    const claim = { fingerprint: fingerprintOf(request, caller, takesBody(execution)), leaseMs: LEASE_MS, holder: this.holder.name };
    const begun = await this.idempotency.begin(key, claim);
    switch (begun.status) {
      case 'started':
        if (reply.sent) return this.tooLate(key, begun);
        return this.run(key, begun, request, reply, next);
      case 'completed':
        void reply.header('idempotent-replayed', 'true');
        // The caller may not have received the token of the first response.
        request.context.progress.wrote(await this.store.head());
        return new Answer(begun.answer.status, JSON.parse(begun.answer.body) as Envelope);
      case 'in_progress':
        throw new Rejection('idempotency_key_in_progress', 'The first request under this key is still running.');
      case 'conflict':
        throw new Rejection('idempotency_key_conflict', 'This key was used for another request.');
    }
  }

  /** The caller got 503 before the key was claimed and may retry, so this request does not start. */
  private async tooLate(key: IdempotencyKey, { commandId, run }: Started): Promise<never> {
    await (run === 1 ? this.idempotency.forget(key, commandId, run) : this.idempotency.abandon(key, commandId, run));
    throw new StoreUnavailable('the key was claimed after the request had been answered', false);
  }

  private async run(key: IdempotencyKey, begun: Started, request: EdgeRequest, reply: FastifyReply, next: CallHandler): Promise<Answer> {
    const { commandId, at } = begun;
    // The status of the route, read now: the request timeout may send another response later.
    const { statusCode } = reply;
    request.context = { ...request.context, commandId, at };
    crashPoint('after-claim-before-append');
    try {
      const answer = shown(await lastValueFrom(next.handle()), statusCode);
      // The first response goes through JSON too, so that repeated responses are identical.
      const body = JSON.stringify(answer.body);
      const kept = await this.idempotency.finish(key, commandId, { status: answer.status, body });
      return new Answer(kept.status, JSON.parse(kept.body) as Envelope, answer.secrets);
    } catch (error) {
      throw await this.letGo(key, begun, error);
    }
  }

  /**
   * Releases the key after a rejection. After an unknown outcome the claim stays, and the next request resumes the
   * same command. Resolves with the error for the caller.
   */
  private async letGo(key: IdempotencyKey, { commandId, run }: Started, error: unknown): Promise<unknown> {
    const end = isUnknownOutcome(error) || run === 1 ? error : await this.confirmed(error);
    const isOver = !isUnknownOutcome(end) && !(run > 1 && isConflict(end));
    const released = isOver ? this.idempotency.forget(key, commandId, run) : this.idempotency.abandon(key, commandId, run);
    // The lease expires by itself, and the caller needs the original error.
    await released.catch(() => undefined);
    return end;
  }

  /**
   * An append of an earlier run may still be in flight. The rejection is final once the log confirms that it has no
   * such append.
   */
  private confirmed(refusal: unknown): Promise<unknown> {
    return this.store.confirmed().then(
      () => refusal,
      (error: unknown) => error,
    );
  }
}

/** The conflict may be with an append of an earlier run of the same command. */
function isConflict(error: unknown): boolean {
  return error instanceof Rejection && error.code === 'concurrent_update';
}

interface Run {
  readonly execution: ExecutionContext;
  readonly next: CallHandler;
}

type Started = Extract<Begun, { status: 'started' }>;
