import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The files of the console, which exist when the console was built. */
const CONSOLE = /^\/console(\/|$)/;

/** Collects every route that the application registers, without the files of the console. */
@Module({})
export class RouteList {
  readonly routes: Route[] = [];

  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRoute', ({ method, url }) => {
      if (CONSOLE.test(url)) return;
      for (const one of [method].flat()) this.routes.push({ method: one, path: url });
    });
  }
}
