import type { Migration } from 'kysely/migration';
import { blobSchema } from './blob-schema.ts';
import { firstSchema, type SchemaWords } from './first-schema.ts';

/** The steps of the schema by their names, whose order is theirs. A step that was released is not edited any more. */
export const migrationsIn = (words: SchemaWords): Readonly<Record<string, Migration>> => ({
  '0001-first-schema': firstSchema(words),
  '0002-blobs': blobSchema(words),
});
