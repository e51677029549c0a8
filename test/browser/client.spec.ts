import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import type { Browser } from 'playwright-core';
import { run } from '../clients/typescript/pack-client.ts';
import { findFreePort } from '../support/free-port.js';
import { createTempFolder, type Service, startService } from '../support/service.js';
import { openPage, startBrowser } from './browser.js';

const BUILD = join(import.meta.dirname, '../../clients/typescript/build.mjs');
const PROGRAM = join(import.meta.dirname, '../clients/typescript/runtimes');
const PAGE = '<!doctype html><html lang="en"><title>A page that uses the client</title><link rel="icon" href="data:,">';

/** Serves an empty page, the compiled client at /dist, and the program. */
async function servePage(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(request.url!);
    if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    readFile(join(path.startsWith('/dist/') ? folder : PROGRAM, path)).then(
      (text) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(text),
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}

describe('A page of another origin', () => {
  let browser: Browser;
  let folder: string;
  let server: Server;
  let service: Service;
  let origin: string;
  beforeAll(async () => {
    browser = await startBrowser();
    folder = await createTempFolder();
    await run(process.execPath, [BUILD, folder]);
    server = await servePage(folder);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    service = await startService({ CORS_ORIGINS: origin });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('calls, verifies and streams with the client', async () => {
    const { page } = await openPage(browser, `${origin}/`);
    const target = {
      url: service.url,
      apiKey: await service.createKey(await service.createBusiness()),
      closedUrl: `http://127.0.0.1:${await findFreePort()}`,
    };
    // A text, because Node would look for the modules of a function here.
    const result = await page.evaluate(
      `Promise.all([import('/dist/index.js'), import('/use-client.mjs')])
        .then(([client, { useClient }]) => useClient(client, ${JSON.stringify(target)}))`,
    );

    // A browser does not tell a page why a connection failed.
    expect(result).toEqual({ call: true, problem: true, fault: 'network', verify: true, stream: true });
  });
});
