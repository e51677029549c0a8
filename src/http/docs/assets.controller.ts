import { Controller, Get, Header, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Rejection } from '../../kernel/rejection.js';
import { Access } from '../auth/access.js';
import { AssetFiles, decompress } from './asset-files.js';

@Controller('docs/assets')
@Access('public')
export class AssetsController {
  constructor(private readonly files: AssetFiles) {}

  @Get(':name')
  @Header('cache-control', 'public, max-age=300')
  @Header('vary', 'Accept-Encoding')
  async read(
    @Param('name') name: string,
    @Headers('if-none-match') known: string | undefined,
    @Headers('accept-encoding') encodings: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | string> {
    if (!AssetFiles.has(name)) throw Rejection.notFound();
    const stored = await this.files.read(name);
    void reply.headers({ etag: stored.etag, 'content-type': stored.mediaType });
    if (known === stored.etag) {
      void reply.status(304);
      return '';
    }
    const { bytes, isGzip } = encodings?.includes('gzip') ? stored : await decompress(stored);
    if (isGzip) void reply.header('content-encoding', 'gzip');
    return bytes;
  }
}
