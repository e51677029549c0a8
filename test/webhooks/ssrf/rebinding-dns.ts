import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DnsAnswers, DnsServer } from '../../support/dns-server.js';
import type { Environment } from '../../support/service-process.js';

const PRELOADED = pathToFileURL(join(import.meta.dirname, 'preloaded.mjs')).href;

/**
 * A name server for a service process, and a log of every address that the process called. The process does not cache
 * its answers.
 */
export class RebindingDns {
  private constructor(
    private readonly server: DnsServer,
    private readonly dialledFile: string,
  ) {}

  static async start(folder: string, answers: DnsAnswers): Promise<RebindingDns> {
    const dialledFile = join(folder, 'dialled');
    writeFileSync(dialledFile, '');
    return new RebindingDns(await DnsServer.start(answers), dialledFile);
  }

  get environment(): Environment {
    return {
      NODE_OPTIONS: `--import ${PRELOADED}`,
      REBINDING_DIALLED: this.dialledFile,
      WEBHOOK_DNS_SERVERS: this.server.address,
    };
  }

  /** The called addresses in their order. */
  get dialled(): string[] {
    return readFileSync(this.dialledFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
