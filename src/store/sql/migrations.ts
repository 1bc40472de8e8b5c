import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { firstSchema, makersOn, type SchemaWords } from './first-schema.ts';

/** The step that adds the blobs. */
const blobSchema = (words: SchemaWords): Migration => ({
  async up(db: Kysely<unknown>) {
    const { table, index } = makersOn(db, words);
    // A blob without a name is being put, or was replaced or removed; `written` is when that last happened to it.
    await table(
      'blob',
      { tenant: 'text', place: 'text', id: 'text', name: 'text?', bytes: 'integer', written: 'integer' },
      3,
    );
    await index('blob_name', 'blob', ['tenant', 'place', 'name'], { isUnique: true });
    await index('blob_nameless', 'blob', ['tenant', 'place', 'written'], { where: 'name is null' });
    await table(
      'blob_part',
      { tenant: 'text', place: 'text', id: 'text', number: 'integer', bytes: 'bytes' },
      4,
    );
  },
});

/** The step that adds the audit log. */
const auditSchema = (words: SchemaWords): Migration => ({
  async up(db: Kysely<unknown>) {
    // `number` is larger than `at`: the primary key also finds the entries of a time.
    await makersOn(db, words).table(
      'audit',
      {
        tenant: 'text',
        number: 'integer',
        at: 'integer',
        actor: 'text?',
        via: 'text',
        token: 'text?',
        request: 'text?',
        action: 'text',
        subject: 'text',
        document: 'text',
      },
      2,
    );
  },
});

/** The steps of the schema by their names, whose order is theirs. A step that was released is not edited any more. */
export const migrationsIn = (words: SchemaWords): Readonly<Record<string, Migration>> => ({
  '0001-first-schema': firstSchema(words),
  '0002-blobs': blobSchema(words),
  '0003-audit': auditSchema(words),
});
