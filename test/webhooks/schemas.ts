import { Ajv2020 } from 'ajv/dist/2020.js';
import { closed, FORMATS } from '../http/support/description.js';
import { dataOf, type Api, type Reply } from '../support/api.js';

/** The schemas of public events, as the service tells them: each with an example that fits it. */
export class Schemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });

  constructor(private readonly api: Api) {}

  /** What is wrong with the data of an event of this type, or with the example, as sentences; fields beside those that are told are wrong. */
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
