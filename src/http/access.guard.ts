import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ANONYMOUS, type Caller, type CallerContext } from '../identity/caller.js';
import { Credentials } from '../identity/credentials.js';
import { Ownership } from '../identity/ownership.js';
import { Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { ACCESS, ruleOfPath, type Rule } from './access.js';
import { businessDenied, businessNamed, modeNamed, refuseKind, refuseNameless } from './admission.js';
import { Consistency } from './consistency.js';
import { requestOf, type EdgeRequest } from './context.js';

/** Asks who is there and whether this route is for them, and gives the request its context. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
    private readonly ownership: Ownership,
    private readonly consistency: Consistency,
    private readonly clock: Clock,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = requestOf(execution);
    const named = this.reflector.getAllAndOverride<Rule | undefined>(ACCESS, [execution.getHandler(), execution.getClass()]);
    const rule = named ?? ruleOfPath(request.routeOptions.url ?? request.url);
    request.context = this.contextOf(request, rule === 'public' ? ANONYMOUS : await this.admitted(rule, request));
    return true;
  }

  private async admitted(rule: Rule, { method, headers }: EdgeRequest): Promise<Caller> {
    const caller = await this.credentials.callerOf(headers.authorization);
    refuseKind(rule, method !== 'GET', caller);
    const business = businessNamed(caller, headers);
    refuseNameless(rule, caller, business);
    if (caller.kind !== 'session') return caller;

    if (business !== null && !(await this.ownership.owns(caller.user!.id, business))) throw businessDenied();
    return { ...caller, business, mode: modeNamed(rule, caller, headers) };
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
