import { Controller, Get, Header, Param } from '@nestjs/common';
import { toHtml } from '../../html.js';
import { Rejection } from '../../kernel/rejection.js';
import { Access } from '../auth/access.js';
import { adviceFor } from './code-advice.js';
import { isProblemCode, statusFor, titleFor } from './problem-codes.js';

/** Serves the page about a problem code, to which the `type` of a problem document links. */
@Controller('problems')
@Access('public')
export class ProblemsController {
  @Get(':code')
  @Header('cache-control', 'public, max-age=3600')
  @Header('content-type', 'text/html; charset=utf-8')
  page(@Param('code') code: string): string {
    if (!isProblemCode(code)) throw Rejection.notFound();
    const title = titleFor(code);
    const { action, repeat } = adviceFor(code);
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<h1>${title}</h1>
<p>The service answers <code>${code}</code> with status ${statusFor(code)}. The problem document's <code>detail</code> and
<code>errors</code> describe the error in the request; <code>request_id</code> identifies the request.</p>
<h2>What to do</h2>
<p>${toHtml(action)}</p>
<h2>Can the request be sent again?</h2>
<p>${toHtml(repeat)}</p>
</html>
`;
  }
}
