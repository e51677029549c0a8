// A bare Nest and Fastify application: the same routes and responses without any logic.
// Node strips types but does not support decorators, so this file calls them as functions.
import 'reflect-metadata';
import { Body, Controller, Get, Module, Param, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

const { one, list } = JSON.parse(process.env.BARE_ANSWERS!) as { readonly one: object; readonly list: object };

class BareController {
  retrieve(_id: string): object {
    return one;
  }

  list(_query: object): object {
    return list;
  }

  create(_body: object): object {
    return one;
  }
}

class BareModule {}

decorate('retrieve', Get(':id'), Param('id'));
decorate('list', Get(), Query());
decorate('create', Post(), Body());
Controller('v1/commerce/products')(BareController);
Module({ controllers: [BareController] })(BareModule);

const app = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
console.log(`ready ${await app.getUrl()}`);

function decorate(method: keyof BareController, route: MethodDecorator, parameter: ParameterDecorator): void {
  parameter(BareController.prototype, method, 0);
  route(BareController.prototype, method, Object.getOwnPropertyDescriptor(BareController.prototype, method)!);
}
