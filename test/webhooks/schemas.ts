import { Ajv2020 } from 'ajv/dist/2020.js';
import { closed, FORMATS } from '../http/support/description.js';
import { dataOf, type Api, type Reply } from '../support/api.js';

/** Validates the data of public events by the schemas of the API. */
export class Schemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });

  constructor(private readonly api: Api) {}

  /**
   * Returns the errors in the data of an event of this type and in the example of the schema. Unknown fields are
   * errors.
   */
  async faultsOf(type: string, data: unknown): Promise<string[]> {
    const schema = dataOf(await this.api.get(`/v1/webhooks/event-types/${type}/schema`));
    return [data, ...schema.examples].flatMap((one) => this.faults(schema, one));
  }

  private faults(schema: Reply['body'], data: unknown): string[] {
    const validate = this.ajv.compile(closed(schema));
    validate(data);
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }
}
