import { Ajv2020 } from 'ajv/dist/2020.js';
import { closeSchema, FORMATS } from '../http/support/openapi-client.js';
import { type Api, type ApiResponse, requireData } from '../support/api.js';

/** Validates the data of public events by the schemas of the API. */
export class EventDataSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });

  constructor(private readonly api: Api) {}

  /**
   * Returns the errors in the data of an event of this type and in the example of the schema. Unknown fields are
   * errors.
   */
  async findErrors(type: string, data: unknown): Promise<string[]> {
    const schema = requireData(await this.api.get(`/v1/webhooks/event-types/${type}/schema`));
    return [data, ...schema.examples].flatMap((one) => this.validate(schema, one));
  }

  private validate(schema: ApiResponse['body'], data: unknown): string[] {
    const validate = this.ajv.compile(closeSchema(schema));
    validate(data);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}
