# Generated from the OpenAPI document by `npm run client`. Do not edit.
