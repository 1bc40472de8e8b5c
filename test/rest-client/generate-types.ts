import openapiTS, { astToString } from 'openapi-typescript';

/** TypeScript types of an OpenAPI document, as a client generates them. */
export async function generateTypes(document: string): Promise<string> {
  return astToString(await openapiTS(JSON.parse(document)));
}
