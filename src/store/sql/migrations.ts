import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnType } from './tables.ts';

type Columns = Readonly<Record<string, ColumnType>>;

/** Words of a schema in which engines differ. */
interface SchemaWords {
  /** The types of texts, which are in the order of their bytes, and of bytes. */
  readonly text: 'text' | RawBuilder<unknown>;
  readonly bytes: 'blob' | 'bytea';
  /** Has a column number the rows by itself, each with a number that no other row ever had. */
  readonly numbering: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** The primary key of what is numbered, where it is more than the number; null for the number alone. */
  readonly numberKey: readonly ['tenant', 'id'] | null;
  /** The end of the definition of a table of many short rows that are found by their keys alone; null for no words. */
  readonly shortRows: string | null;
}

/** The schema that the store had when kysely came to write it. What an older store lacks of it, its upgrade has made. */
const firstSchema = (words: SchemaWords): Migration => ({
  async up(db: Kysely<unknown>) {
    const { table, index } = makersOn(db, words);

    // A part of the store that is written by one at a time: how often it was, and a word that no other write has had.
    await table('area', { tenant: 'text', area: 'text', revision: 'integer', word: 'text' }, 2);
    // The last number that was given to one of a kind; none is given twice, also not one that was removed.
    await table('last_number', { tenant: 'text', kind: 'text', number: 'integer' }, 2);
    // `added` is the revision of the kind's area that brought it: the order they have. Names are as they are compared.
    await table(
      'document',
      { tenant: 'text', kind: 'text', id: 'text', added: 'integer', name: 'text?', document: 'text' },
      3,
    );
    await index('document_name', 'document', ['tenant', 'kind', 'name'], { isUnique: true });

    // An issue's number stays as long as the issue, whatever its key, and never is another issue's. The key is in upper
    // case, `source_updated` the tracker's own word; `cut` says that the history is not whole. The packed issue, with its
    // whole history, is last, so that the rest is read without it.
    const { numberKey } = words;
    const issue = db.schema
      .createTable('issue')
      .ifNotExists()
      .addColumn('id', numberKey === null ? 'integer' : 'bigint', (column) => words.numbering(column))
      .$call(
        columnsOf(words, {
          tenant: 'text',
          tracker: 'text',
          key: 'text',
          revision: 'integer',
          updated: 'integer',
          tracker_id: 'text?',
          source_updated: 'integer?',
          cut: 'integer',
          unread_roles: 'integer',
          packed: 'bytes',
        }),
      );
    await (numberKey === null
      ? issue
      : issue.addPrimaryKeyConstraint('issue_number', [...numberKey])
    ).execute();
    const ofTracker = ['tenant', 'tracker'];
    await index('issue_key', 'issue', [...ofTracker, 'key'], { isUnique: true });
    await index('issue_revision', 'issue', [...ofTracker, 'revision'], { isUnique: true });
    await index('issue_tracker_id', 'issue', [...ofTracker, 'tracker_id'], {
      isUnique: true,
      where: 'tracker_id is not null',
    });
    await index('issue_recent', 'issue', [...ofTracker, 'updated']);
    await index('issue_cut', 'issue', ofTracker, { where: 'cut = 1' });
    await index('issue_unread_roles', 'issue', ofTracker, { where: 'unread_roles = 1' });
    // Terms that packed issues name by their numbers, as JSON; they are neither changed nor removed.
    await table(
      'issue_term',
      { tenant: 'text', tracker: 'text', kind: 'text', number: 'integer', term: 'text' },
      4,
      true,
    );
    // Keys under which there is no issue any more; they share their revisions with the issues.
    await table('issue_gone', { tenant: 'text', tracker: 'text', key: 'text', revision: 'integer' }, 3);
    await index('issue_gone_revision', 'issue_gone', [...ofTracker, 'revision'], { isUnique: true });
    // Keys that issues had before: by their id, which stays, and as their histories say, where files have no id.
    await table('issue_alias', { tenant: 'text', tracker: 'text', key: 'text', tracker_id: 'text' }, 3);
    await table('issue_former_key', { tenant: 'text', tracker: 'text', key: 'text', issue_key: 'text' }, 3);
    await table('issue_seen', { tenant: 'text', tracker: 'text', tracker_id: 'text' }, 3, true);
    await table('user', { tenant: 'text', tracker: 'text', id: 'text', document: 'text' }, 3);

    // `open` is as what it can be taken up, null where it has ended; `planned_for` when it is meant to be done, `not_before`
    // until when it rests after an attempt; `served` rises with all that is taken up, so that owners can take turns.
    await table(
      'work',
      {
        tenant: 'text',
        kind: 'text',
        id: 'text',
        owner: 'text',
        added: 'integer',
        open: 'text?',
        planned_for: 'integer',
        not_before: 'integer',
        holder: 'text?',
        held_until: 'integer',
        served: 'integer',
        document: 'text',
      },
      3,
    );
    await index('work_open', 'work', ['tenant', 'kind', 'planned_for'], { where: 'open is not null' });
    await index('work_owner', 'work', ['tenant', 'kind', 'owner', 'planned_for']);
    await index('work_turn', 'work', ['tenant', 'kind', 'owner', 'served']);
    await table(
      'watch_alert',
      {
        tenant: 'text',
        watch: 'text',
        key: 'text',
        since: 'integer',
        state: 'text',
        account: 'text?',
        claimed_at: 'integer',
        settled_at: 'integer?',
      },
      4,
    );
    await index('watch_alert_account', 'watch_alert', ['tenant', 'account']);
    // Small state by key, as the cache writes it; `added` is the order in a namespace, and from `expires_at` on it can be
    // swept out.
    await table(
      'cache_entry',
      {
        tenant: 'text',
        key: 'text',
        namespace: 'text',
        value: 'text',
        added: 'integer',
        expires_at: 'integer?',
      },
      2,
    );
    await index('cache_entry_order', 'cache_entry', ['tenant', 'namespace', 'added']);
    await index('cache_entry_expiry', 'cache_entry', ['tenant', 'expires_at'], {
      where: 'expires_at is not null',
    });
  },
});

/** Returns makers of tables and indexes that may be there already. */
function makersOn(db: Kysely<unknown>, words: SchemaWords) {
  return {
    /** The first `keys` columns are the primary key. */
    async table(name: string, columns: Columns, keys: number, isShort = false): Promise<void> {
      const key = Object.keys(columns).slice(0, keys);
      const query = db.schema
        .createTable(name)
        .ifNotExists()
        .$call(columnsOf(words, columns))
        .addPrimaryKeyConstraint(`${name}_key`, [...key]);
      await (isShort && words.shortRows !== null
        ? query.modifyEnd(sql.raw(words.shortRows))
        : query
      ).execute();
    },
    async index(
      name: string,
      table: string,
      columns: readonly string[],
      { isUnique = false, where }: { readonly isUnique?: boolean; readonly where?: string } = {},
    ): Promise<void> {
      let query = db.schema
        .createIndex(name)
        .ifNotExists()
        .on(table)
        .columns([...columns]);
      if (isUnique) query = query.unique();
      await (where === undefined ? query : query.where(sql.raw<SqlBool>(where))).execute();
    },
  };
}

function columnsOf({ text, bytes }: SchemaWords, columns: Columns) {
  return (builder: CreateTableBuilder<string, string>) =>
    Object.entries(columns).reduce((all, [name, type]) => {
      const plain = type.replace('?', '');
      return all.addColumn(
        name,
        plain === 'bytes' ? bytes : plain === 'integer' ? 'bigint' : text,
        (column) => (type.endsWith('?') ? column : column.notNull()),
      );
    }, builder);
}

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
