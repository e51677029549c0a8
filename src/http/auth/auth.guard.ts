import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { Authenticator } from '../../kernel/authenticator.js';
import { BusinessOwnership } from '../../kernel/business-ownership.js';
import { ANONYMOUS, type Caller, type CallerContext } from '../../kernel/caller.js';
import { Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { ConsistencyTokens } from '../server/consistency-tokens.js';
import { rememberPerRoute } from '../server/per-route.js';
import { RateLimit, toAddressKey } from '../server/rate-limit.js';
import { ACCESS, type AccessRule, isCommunity, isRead, ruleForPath } from './access.js';
import {
  assertBusinessNamed,
  assertCredentialAllowed,
  assertLiveKey,
  createBusinessRejection,
  parseBusinessHeader,
  parseModeHeader,
} from './authorization.js';
import { KnownCredentials } from './known-credentials.js';
import { type ApiRequest, getApiRequest, toCallerKey } from './request-context.js';

/** Authenticates the caller, authorizes the caller for the route, and sets the context of the request. */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly readNamedRule = rememberPerRoute((execution) => {
    const named = [execution.getHandler(), execution.getClass()];
    return this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, named) ?? null;
  });

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly ownership: BusinessOwnership,
    private readonly rateLimit: RateLimit,
    private readonly known: KnownCredentials,
    private readonly consistency: ConsistencyTokens,
    private readonly clock: Clock,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = getApiRequest(execution);
    const rule = this.readNamedRule(execution) ?? ruleForPath(toRoutePath(request));
    const caller = await this.authenticate(rule, request, execution.switchToHttp().getResponse<FastifyReply>());
    request.context = this.createContext(
      request,
      rule === 'public' ? caller : await this.authorize(rule, request, caller),
    );
    return true;
  }

  /** Counts a request against its credential once that is valid. Until then the request counts against its address. */
  private async authenticate(rule: AccessRule, request: ApiRequest, reply: FastifyReply): Promise<Caller> {
    const { authorization = '' } = request.headers;
    const isKnown = rule !== 'public' && this.known.has(authorization);
    if (!isKnown) this.rateLimit.count(toAddressKey(request), reply);
    if (rule === 'public') return ANONYMOUS;

    const caller = await this.authenticator.authenticate(request.headers.authorization).catch((error: unknown) => {
      this.known.delete(authorization);
      if (isKnown) this.rateLimit.count(toAddressKey(request), reply);
      throw error;
    });
    if (!isKnown) this.rateLimit.refund(toAddressKey(request));
    this.known.add(authorization);
    this.rateLimit.count(toCallerKey(caller), reply);
    return caller;
  }

  private async authorize(rule: AccessRule, request: ApiRequest, caller: Caller): Promise<Caller> {
    const { method, headers } = request;
    const onlyLive = isCommunity(toRoutePath(request));
    assertCredentialAllowed(rule, !isRead(method), caller);
    if (onlyLive) assertLiveKey(caller);
    const business = parseBusinessHeader(caller, headers);
    assertBusinessNamed(rule, caller, business);
    if (caller.kind !== 'session') return caller;

    if (business !== null && !(await this.ownership.isOwner(caller.user!.id, business)))
      throw createBusinessRejection();
    return { ...caller, business, mode: parseModeHeader(onlyLive, caller, headers) };
  }

  private createContext(request: ApiRequest, caller: Caller): CallerContext {
    return {
      commandId: newUuid(),
      at: this.clock.now(),
      correlationId: request.id,
      causationId: request.id,
      actor: caller.actor,
      business: caller.business,
      mode: caller.mode,
      requestId: request.id,
      consistency: this.consistency.contextFor(caller, request.headers['consistency-token']),
      caller,
      address: toAddressKey(request),
    };
  }
}

/** Returns the path of the route. The path of the request can be written in several ways. */
function toRoutePath({ routeOptions, url }: ApiRequest): string {
  return routeOptions.url ?? url;
}
