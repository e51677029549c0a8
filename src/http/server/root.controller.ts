import { Controller, Get } from '@nestjs/common';
import { Config } from '../../config.js';
import { Access } from '../auth/access.js';

/** Links from the base address of the service. */
@Controller()
@Access('public')
export class RootController {
  constructor(private readonly config: Config) {}

  @Get()
  links() {
    const url = this.config.publicUrl;
    return {
      data: {
        object: 'service',
        openapi_url: `${url}/openapi.json`,
        docs_url: `${url}/docs`,
        caller_url: `${url}/v1/auth/me`,
        problems_url: `${url}/problems/{code}`,
      },
    };
  }
}
