import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { finalize, mergeMap, type Observable } from 'rxjs';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { START } from '../../kernel/position.js';
import { isRead } from '../auth/access.js';
import { type ApiRequest, getApiRequest } from '../auth/request-context.js';
import { type ResponseBody, toApiResponse } from './api-response.js';
import { ConsistencyTokens } from './consistency-tokens.js';
import { DocumentSerializer, isUnparsedList } from './document-serializer.js';

/**
 * Serializes responses: removes hidden fields, opens sealed fields, and sets the consistency headers. A string, bytes and
 * a file are sent as they are.
 */
@Injectable()
export class ApiResponseInterceptor implements NestInterceptor {
  constructor(
    private readonly personal: PersonalFields,
    private readonly documents: DocumentSerializer,
    private readonly consistency: ConsistencyTokens,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = getApiRequest(execution);
    const reply = execution.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      mergeMap((result) => (isSentAsIs(result) ? [result] : this.serialize(result, reply))),
      finalize(() => this.setConsistencyHeaders(request, reply)),
    );
  }

  private async serialize(result: unknown, reply: FastifyReply): Promise<string> {
    void reply.header('content-type', 'application/json; charset=utf-8');
    const { data, pagination } = result as ResponseBody;
    if (isUnparsedList(data))
      return `{"data":${await this.documents.serialize(data)},"pagination":${JSON.stringify(pagination)}}`;

    const { status, body, secrets } = toApiResponse(result, reply.statusCode);
    void reply.status(status);
    const opened = await this.personal.open(body);
    return JSON.stringify({
      ...opened,
      data: Object.keys(secrets).length === 0 ? opened.data : { ...(opened.data as object), ...secrets },
    });
  }

  private setConsistencyHeaders({ method, context }: ApiRequest, reply: FastifyReply): void {
    const { caller, consistency } = context;
    if (consistency.isStale) void reply.header('consistency', 'stale');
    if (isRead(method) || consistency.position === START) return;
    this.consistency.recordWrite(caller, consistency);
    void reply.header('consistency-token', this.consistency.tokenFor(consistency));
  }
}

function isSentAsIs(result: unknown): result is string | Buffer | StreamableFile {
  return typeof result === 'string' || Buffer.isBuffer(result) || result instanceof StreamableFile;
}
