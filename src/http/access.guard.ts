import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { ANONYMOUS, type Caller, type CallerContext } from '../identity/caller.js';
import { Credentials } from '../identity/credentials.js';
import { Ownership } from '../identity/ownership.js';
import { Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { ACCESS, isCommunity, isRead, ruleOfPath, type Rule } from './access.js';
import { businessDenied, businessNamed, modeNamed, refuseKind, refuseNameless, refuseTestKey } from './admission.js';
import { Consistency } from './consistency.js';
import { nameOf, requestOf, type EdgeRequest } from './context.js';
import { KnownCredentials } from './known-credentials.js';
import { addressOf, RateLimit } from './rate-limit.js';

/** Authenticates the caller, authorizes the caller for the route, and sets the context of the request. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
    private readonly ownership: Ownership,
    private readonly rateLimit: RateLimit,
    private readonly known: KnownCredentials,
    private readonly consistency: Consistency,
    private readonly clock: Clock,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = requestOf(execution);
    const named = this.reflector.getAllAndOverride<Rule | undefined>(ACCESS, [execution.getHandler(), execution.getClass()]);
    const rule = named ?? ruleOfPath(pathOf(request));
    const caller = await this.identified(rule, request, execution.switchToHttp().getResponse<FastifyReply>());
    request.context = this.contextOf(request, rule === 'public' ? caller : await this.admitted(rule, request, caller));
    return true;
  }

  /** Counts a request against its credential once that is valid. Until then the request counts against its address. */
  private async identified(rule: Rule, request: EdgeRequest, reply: FastifyReply): Promise<Caller> {
    const { authorization = '' } = request.headers;
    const isKnown = rule !== 'public' && this.known.has(authorization);
    if (!isKnown) this.rateLimit.count(addressOf(request), reply);
    if (rule === 'public') return ANONYMOUS;

    const caller = await this.credentials.callerOf(request.headers.authorization).catch((error: unknown) => {
      this.known.delete(authorization);
      if (isKnown) this.rateLimit.count(addressOf(request), reply);
      throw error;
    });
    if (!isKnown) this.rateLimit.giveBack(addressOf(request));
    this.known.add(authorization);
    this.rateLimit.count(nameOf(caller), reply);
    return caller;
  }

  private async admitted(rule: Rule, request: EdgeRequest, caller: Caller): Promise<Caller> {
    const { method, headers } = request;
    const onlyLive = isCommunity(pathOf(request));
    refuseKind(rule, !isRead(method), caller);
    if (onlyLive) refuseTestKey(caller);
    const business = businessNamed(caller, headers);
    refuseNameless(rule, caller, business);
    if (caller.kind !== 'session') return caller;

    if (business !== null && !(await this.ownership.owns(caller.user!.id, business))) throw businessDenied();
    return { ...caller, business, mode: modeNamed(onlyLive, caller, headers) };
  }

  private contextOf(request: EdgeRequest, caller: Caller): CallerContext {
    return {
      commandId: newUuid(),
      at: this.clock.now(),
      correlationId: request.id,
      causationId: request.id,
      actor: caller.actor,
      business: caller.business,
      mode: caller.mode,
      requestId: request.id,
      progress: this.consistency.progressOf(caller, request.headers['consistency-token']),
      caller,
    };
  }
}

/** Returns the path of the route. The path of the request can be written in several ways. */
function pathOf({ routeOptions, url }: EdgeRequest): string {
  return routeOptions.url ?? url;
}
