import { createHash } from 'node:crypto';
import { type INestApplication, Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Config } from '../../config/config.js';
import { VERSION } from '../../kernel/version.js';
import { type DocumentedEvents, toAsyncApi } from './asyncapi.js';
import { buildDocument, type DocumentedRoute, type NestOperation } from './build-document.js';
import { EventDescriptions } from './event-descriptions.js';
import { readRoute } from './route.js';
import { SUMMARY } from './route-descriptions.js';
import { SECURITY_SCHEMES } from './security-schemes.js';

const TITLE = 'event-sourced-api';

export interface SerializedDocument {
  readonly json: string;
  readonly etag: string;
}

/** The OpenAPI document of the running application, and the AsyncAPI document. Each is built on its first request. */
@Injectable()
export class OpenApiDocument {
  private app: INestApplication | null = null;
  private document: Promise<SerializedDocument> | null = null;
  private asyncDocument: Promise<SerializedDocument> | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: Config,
  ) {}

  setApp(app: INestApplication): void {
    this.app = app;
  }

  read(): Promise<SerializedDocument> {
    return (this.document ??= this.build());
  }

  readAsyncApi(): Promise<SerializedDocument> {
    return (this.asyncDocument ??= this.read().then(({ json }) =>
      serialize(toAsyncApi(JSON.parse(json) as DocumentedEvents)),
    ));
  }

  private async build(): Promise<SerializedDocument> {
    const nest = await this.scanWithNest(this.app!);
    const events = this.app!.get(EventDescriptions, { strict: false });
    return serialize(
      buildDocument(nest, this.findRoutes(nest), { publicUrl: this.config.publicUrl, events: events.list() }),
    );
  }

  /** Loads the library on demand, so that the service starts without it. */
  private async scanWithNest(app: INestApplication): Promise<OpenAPIObject> {
    const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
    const builder = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle(TITLE)
      .setVersion(VERSION)
      .setDescription(SUMMARY)
      .setLicense('MIT', 'https://opensource.org/license/mit');
    for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) builder.addSecurity(name, scheme);
    return SwaggerModule.createDocument(app, builder.build(), {
      operationIdFactory: (controller, method) => `${controller}.${method}`,
    });
  }

  private findRoutes({ paths }: OpenAPIObject): DocumentedRoute[] {
    const controllers = new Map(this.discovery.getControllers().map(({ name, metatype }) => [name, metatype as Type]));
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, NestOperation>).flatMap(([method, nest]) => {
        const [controller, handler] = nest.operationId!.split('.') as [string, string];
        const route = readRoute(controllers.get(controller)!, handler, path);
        return route === null ? [] : [{ method, route, nest }];
      }),
    );
  }
}

function serialize(document: object): SerializedDocument {
  const json = JSON.stringify(document);
  return { json, etag: `"${createHash('sha256').update(json).digest('base64url')}"` };
}
