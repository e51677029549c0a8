import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: string;
  readonly path: string;
}

/** Collects every route that the application registers. */
@Module({})
export class RouteList {
  readonly routes: Route[] = [];

  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.routes.push({ method: one, path: url });
    });
  }
}
