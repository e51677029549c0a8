import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { OpenApiController } from './openapi.controller.js';
import { OpenApiDocument } from './openapi-document.js';
import { ReferenceController } from './reference.controller.js';

@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, ReferenceController],
  providers: [OpenApiDocument],
})
export class OpenApiModule {}
