import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApiDescription } from './description.js';
import { OpenApiController } from './openapi.controller.js';

@Module({ imports: [DiscoveryModule], controllers: [OpenApiController], providers: [ApiDescription] })
export class OpenApiModule {}
