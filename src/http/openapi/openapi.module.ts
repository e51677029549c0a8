import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApiDescription } from './description.js';
import { OpenApiController } from './openapi.controller.js';
import { ReferenceController } from './reference.controller.js';

@Module({ imports: [DiscoveryModule], controllers: [OpenApiController, ReferenceController], providers: [ApiDescription] })
export class OpenApiModule {}
