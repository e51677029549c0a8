import { join } from 'node:path';
import { findImportCircles, findViolations } from './support/architecture.js';
import { findDroppedErrors } from './support/dropped-errors.js';
import { findMisplacedHandlers } from './support/handlers.js';
import { parseSource, readSources } from './support/import-graph.js';
import { readTexts } from './support/language.js';
import { findUntypedJobs } from './support/untyped-jobs.js';

const SRC = join(import.meta.dirname, '../src');

describe('The architecture', () => {
  it('has no violation in src', async () => {
    const sources = await readSources(SRC);

    expect(sources.map(({ path }) => path)).toContain('kernel/event.ts');
    expect(findViolations(sources)).toEqual([]);
  });

  it('has no import circle in src, types included', async () =>
    expect(findImportCircles(await readSources(SRC))).toEqual([]));

  const texts = readTexts(SRC, ['.'], /\.ts$/);

  it('creates each job by its queue', () => expect(findUntypedJobs(texts)).toEqual([]));

  it('reports each error, or says why it is of no consequence', () =>
    expect(texts.flatMap(({ path, text }) => findDroppedErrors(path, text))).toEqual([]));

  it('has each command and query directly before its handler', () =>
    expect(texts.flatMap(({ path, text }) => findMisplacedHandlers(path, text))).toEqual([]));
});

const ONE_WAY = 'within an area the way is http, commands, queries, projections, domain';
const PORTS = 'http knows identity by the ports of the kernel alone';
const CALLED = 'processes are called by gateways alone';

describe('The architecture check', () => {
  const breaches = (path: string, text: string) => findViolations([parseSource(path, text)]);

  it.each([
    ['kernel/ids.ts', '@nestjs/common', 'the kernel knows itself and Node alone'],
    ['kernel/ids.ts', '../engine/streams/streams.js', 'the kernel knows itself and Node alone'],
    ['engine/streams/streams.ts', '../../stores/embedded/sqlite.js', 'the engine knows the kernel alone'],
    ['stores/embedded/sqlite.ts', '../../config/config.js', 'stores know the kernel alone'],
    ['engine/streams/streams.ts', '../../http/problem.js', 'the engine knows the kernel alone'],
    ['stores/embedded/jobs.ts', '../../engine/reactors/worker.js', 'stores know the kernel alone'],
    ['community/domain/post.ts', '../projections/posts.js', 'a domain knows the kernel and its own folder alone'],
    [
      'community/domain/post.ts',
      '../../commerce/domain/money.js',
      'a domain knows the kernel and its own folder alone',
    ],
    ['community/domain/post.ts', 'class-validator', 'a domain knows the kernel and its own folder alone'],
    ['http/problems/problem.ts', '../../stores/embedded/sqlite.js', 'what answers HTTP never sees a store'],
    ['commerce/http/orders.controller.ts', '../../stores/embedded/sqlite.js', 'what answers HTTP never sees a store'],
    ['commerce/commands/cart.commands.ts', '../http/carts.controller.js', 'in an area, http alone knows of HTTP'],
    ['commerce/projections/carts.ts', '../../http/server/api-response.js', 'in an area, http alone knows of HTTP'],
    ['community/commands/community.commands.ts', '../../commerce/domain/product.js', 'areas meet in processes alone'],
    [
      'webhooks/delivery/public-event-cache.ts',
      '../../community/projections/posts.js',
      'areas meet in processes alone',
    ],
    ['webhooks/event-catalogue.ts', '../features.js', 'areas do not import what joins the features of all areas'],
    ['community/commands/community.commands.ts', '../processes/enrol-founders.js', ONE_WAY],
    ['community/access/post-access.ts', '../http/posts.controller.js', ONE_WAY],
    ['community/access/post-access.ts', '../../http/server/api-response.js', 'in an area, http alone knows of HTTP'],
    ['webhooks/delivery/captures.ts', '../streaming/event-stream.js', ONE_WAY],
    ['audit/history/audit-index.ts', '../exports/export-files.js', ONE_WAY],
    ['commerce/http/orders.controller.ts', '../processes/finish-checkouts.js', CALLED],
    ['community/projections/posts.ts', '../commands/post.commands.js', ONE_WAY],
    ['identity/users.ts', '../commerce/domain/buyer.js', 'what areas share knows no area'],
    ['http/auth/access.ts', '../../webhooks/domain/endpoint.js', 'what areas share knows no area'],
    ['http/auth/auth.guard.ts', '../../identity/users.js', PORTS],
    ['http/http.module.ts', '../identity/identity.module.js', PORTS],
  ])('finds %s importing %s', (path, imported, rule) =>
    expect(breaches(path, `import { it } from '${imported}';`)).toContainEqual(
      expect.stringMatching(new RegExp(`: ${rule}$`)),
    ),
  );

  it.each([
    ['a type', `import type { Page } from '../engine/read-models/views.js';`],
    ['a re-export', `export { Page } from '../engine/read-models/views.js';`],
    ['a dynamic import', `const views = await import('../engine/read-models/views.js');`],
    ['an inline type import', `let page: import('../engine/read-models/views.js').Page;`],
  ])('counts %s as an import', (_, text) => expect(breaches('kernel/page.ts', text)).toHaveLength(1));

  it.each([
    ['kernel/ids.ts', 'node:crypto'],
    ['kernel/ids.ts', './event.js'],
    ['engine/streams/streams.ts', '@nestjs/common'],
    ['stores/embedded/writer/thread.ts', '../../../kernel/jobs.js'],
    ['community/domain/post.ts', './attachment.js'],
    ['community/domain/post.ts', '../../kernel/decider.js'],
    ['community/processes/products.ts', '../../commerce/domain/product.js'],
    ['webhooks/event-catalogue.ts', '../public-events.js'],
    ['commerce/gateways/stripe-events.ts', '../processes/settle-payments.js'],
    ['community/member-addresses.ts', './access/community-access.js'],
    ['audit/projections/audit-events.ts', '../../audited-streams.js'],
    ['community/commands/post.commands.ts', '../../identity/users.js'],
    ['identity/http/me.controller.ts', '../../http/auth/access.js'],
    ['http/http.module.ts', './docs/docs.module.js'],
    ['community/http/posts.controller.ts', '../../http/auth/request-context.js'],
    ['stores/stores.module.ts', '../engine/store-metrics.js'],
    ['app.module.ts', './stores/stores.module.js'],
  ])('lets %s import %s', (path, imported) => expect(breaches(path, `import { it } from '${imported}';`)).toEqual([]));

  it('finds every file of an import circle', () => {
    const sources = [
      parseSource('kernel/a.ts', `import type { B } from './b.js';`),
      parseSource('kernel/b.ts', `import { c } from './c.js';`),
      parseSource('kernel/c.ts', `import { a } from './a.js'; import { d } from './d.js';`),
      parseSource('kernel/d.ts', `import 'node:fs';`),
    ];
    expect(findImportCircles(sources)).toEqual([['kernel/a.ts', 'kernel/b.ts', 'kernel/c.ts']]);
  });

  it('finds a file with more than 250 lines', () =>
    expect(breaches('kernel/long.ts', 'let a;\n'.repeat(251))).toHaveLength(1));

  it('finds a folder of an area that has no place in the layers', () =>
    expect(breaches('commerce/helpers/money.ts', '')).toHaveLength(1));

  it.each([
    ['try { read(); } catch {}', 1],
    ['try { read(); } catch { wait(); }', 1],
    ['void read().catch(() => undefined);', 1],
    ['function f() { return read().catch(() => null); }', 1],
    ['function f() { try { return parse(); } catch { return null; } }', 0],
    ['function f() { try { read(); } catch (error) { report(error); } }', 0],
    ['read();\n// The next run repeats it.\nvoid sweep().catch(() => undefined);', 0],
    ['void read().catch(reportAndIgnore(WORK));', 0],
  ])('counts the dropped errors of %s: %d', (text, count) =>
    expect(findDroppedErrors('kernel/a.ts', text)).toHaveLength(count),
  );

  it.each([
    ['class A {} @CommandHandler(A) class AHandler {}', 0],
    ['class A {} @QueryHandler(A) export class AHandler {}', 0],
    ['class A {} @Injectable() class B {}', 0],
    ['class A {} const b = 1; @CommandHandler(A) class AHandler {}', 1],
    ["import { A } from './a.js'; @QueryHandler(A) class AHandler {}", 1],
    ['class A {} @CommandHandler(A) class HandlesA {}', 1],
  ])('counts the misplaced handlers of %s: %d', (text, count) =>
    expect(findMisplacedHandlers('commerce/commands/a.ts', text)).toHaveLength(count),
  );

  it.each([
    ['audit/exports.ts', "jobs.enqueue([{ key, queue: 'exports', due, data }]);", 1],
    ['audit/exports.ts', 'return { key: job.key, queue: job.queue, due: job.due };', 0],
    ['audit/exports.ts', 'jobs.enqueue([exportDrops.createJob({ key, due, data })]);', 0],
    ['stores/embedded/jobs.ts', 'return { key, queue, due, data };', 0],
  ])('counts the jobs that are created without their queue in %s, %s: %d', (path, text, count) =>
    expect(findUntypedJobs([{ path, text }])).toHaveLength(count),
  );

  it('finds a barrel', () => expect(breaches('commerce/domain/index.ts', '')).toHaveLength(1));
});
