import { CommerceApi, Configuration } from './client/index.js';

declare const process: { env: Record<string, string> };

const api = new CommerceApi(
  new Configuration({ basePath: process.env.API_URL!, accessToken: () => process.env.API_KEY! }),
);
api.createProduct({ createProductBody: { name: 'A course' } }).then(({ data }) => console.log('called', data.id));
