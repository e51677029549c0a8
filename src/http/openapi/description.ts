import { createHash } from 'node:crypto';
import { Injectable, type INestApplication, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Config } from '../../config.js';
import { CREDENTIALS } from './credentials.js';
import { DescribedEvents } from './described-events.js';
import { SUMMARY } from './descriptions.js';
import { documentOf, type DocumentedRoute, type NestOperation } from './document.js';
import { routeOf } from './route.js';

const TITLE = 'event-sourced-api';
const VERSION = '1.0.0';

export interface Description {
  readonly json: string;
  readonly etag: string;
}

/** The OpenAPI document of the running application. It is built on the first request. */
@Injectable()
export class ApiDescription {
  private app: INestApplication | null = null;
  private made: Promise<Description> | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: Config,
  ) {}

  /** Sets the application whose routes are described. */
  of(app: INestApplication): void {
    this.app = app;
  }

  read(): Promise<Description> {
    return (this.made ??= this.make());
  }

  private async make(): Promise<Description> {
    const nest = await this.knownToNest(this.app!);
    const events = this.app!.get(DescribedEvents, { strict: false });
    const json = JSON.stringify(documentOf(nest, this.routesIn(nest), { publicUrl: this.config.publicUrl, events: events.sent() }));
    return { json, etag: `"${createHash('sha256').update(json).digest('base64url')}"` };
  }

  /** Loads the library on demand, so that the service starts without it. */
  private async knownToNest(app: INestApplication): Promise<OpenAPIObject> {
    const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
    const builder = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle(TITLE)
      .setVersion(VERSION)
      .setDescription(SUMMARY)
      .setLicense('MIT', 'https://opensource.org/license/mit');
    for (const [name, scheme] of Object.entries(CREDENTIALS)) builder.addSecurity(name, scheme);
    return SwaggerModule.createDocument(app, builder.build(), { operationIdFactory: (controller, method) => `${controller}.${method}` });
  }

  private routesIn({ paths }: OpenAPIObject): DocumentedRoute[] {
    const controllers = new Map(this.discovery.getControllers().map(({ name, metatype }) => [name, metatype as Type]));
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, NestOperation>).flatMap(([method, nest]) => {
        const [controller, handler] = nest.operationId!.split('.') as [string, string];
        const route = routeOf(controllers.get(controller)!, handler, path);
        return route === null ? [] : [{ method, route, nest }];
      }),
    );
  }
}
