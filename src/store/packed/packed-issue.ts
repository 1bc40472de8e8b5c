import type { Change, FieldContent, FieldValue, History, Instant, Issue } from '../../model/issue.ts';
import {
  changesByField,
  contentByField,
  type HasChangesByField,
  type HasContentByField,
} from '../../model/issues/issue-fields.ts';
import {
  type HasNewsByTerms,
  type MentionedNews,
  newsByTerms,
  type SeenTerms,
} from '../../model/issues/single-mentions.ts';
import type { PackedRow } from '../sql/engine.ts';
import type { UseOfIssues } from '../store.ts';
import type { IssueUnpacker, PackedPlaces } from './unpack-issue.ts';

/**
 * An issue whose fields and changes are unpacked when they are looked at, all or one. Its members are its own and can be
 * listed, copied and compared like those of any issue. What was unpacked stays with it.
 */
export class PackedIssue implements Issue, HasChangesByField, HasContentByField, HasNewsByTerms {
  declare readonly id?: string;
  declare readonly key: string;
  declare readonly project: FieldValue;
  declare readonly summary: string;
  declare readonly created: Instant;
  declare readonly updated: Instant;
  declare readonly resolved: Instant | null;
  declare readonly status: FieldValue;
  declare readonly assignee: FieldValue | null;
  declare readonly fields: Readonly<Record<string, FieldContent>>;
  declare readonly changes: readonly Change[];
  declare readonly history: History;
  declare readonly link?: string;

  readonly #bytes: Buffer;
  readonly #unpacker: IssueUnpacker;
  readonly #places: PackedPlaces;
  #fields: Issue['fields'] | null = null;
  #changes: readonly Change[] | null = null;
  /** The changes of single fields that were read. */
  readonly #changesByField: (readonly [string, readonly Change[]])[] = [];

  /** `bytes` are the issue's from now on. */
  constructor(bytes: Uint8Array, unpacker: IssueUnpacker) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#unpacker = unpacker;
    this.#places = unpacker.placesOf(this.#bytes);
    const { id, key, project, summary, created, updated, resolved, status, assignee, history, link } =
      unpacker.headOf(this.#bytes);
    // Absent parts are no members.
    if (id !== undefined) this.id = id;
    this.key = key;
    this.project = project;
    this.summary = summary;
    this.created = created;
    this.updated = updated;
    this.resolved = resolved;
    this.status = status;
    this.assignee = assignee;
    Object.defineProperty(this, 'fields', fieldsMember);
    Object.defineProperty(this, 'changes', changesMember);
    this.history = history;
    if (link !== undefined) this.link = link;
  }

  [changesByField](field: string): readonly Change[] {
    for (const [known, changes] of this.#changesByField) if (known === field) return changes;
    const changes =
      this.#changes === null
        ? this.#unpacker.changesOf(this.#bytes, field, this.#places)
        : this.#changes.filter((change) => change.field === field);
    this.#changesByField.push([field, changes]);
    return changes;
  }

  [contentByField](field: string): FieldContent | undefined {
    const fields = this.#fields;
    if (fields !== null) return Object.hasOwn(fields, field) ? fields[field] : undefined;
    return this.#unpacker.contentOf(this.#bytes, field, this.#places);
  }

  [newsByTerms](seen: SeenTerms): MentionedNews {
    return this.#unpacker.newsOf(this.#bytes, seen, this.#places);
  }

  allFields(): Issue['fields'] {
    this.#fields ??= this.#unpacker.fieldsOf(this.#bytes);
    return this.#fields;
  }

  allChanges(): readonly Change[] {
    this.#changes ??= this.#unpacker.changesOf(this.#bytes, null);
    return this.#changes;
  }
}

/** A packed issue of which single fields are read, in a tenth of the time that a whole one takes to begin with. */
class PackedFields implements HasChangesByField, HasContentByField {
  readonly #places: PackedPlaces;
  readonly #bytes: Buffer;
  readonly #unpacker: IssueUnpacker;
  /** The last result: the same field is usually read twice in a row. */
  #changes: { readonly field: string; readonly changes: readonly Change[] } | null = null;
  #content: { readonly field: string; readonly content: FieldContent | undefined } | null = null;

  /** `bytes` are the object's from now on. */
  constructor(bytes: Uint8Array, unpacker: IssueUnpacker) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#unpacker = unpacker;
    this.#places = unpacker.placesOf(this.#bytes);
  }

  get created(): Instant {
    return this.#places.created;
  }

  get updated(): Instant {
    return this.#places.updated;
  }

  get id(): string | undefined {
    return this.#unpacker.headOf(this.#bytes).id;
  }

  get key(): string {
    return this.#unpacker.headOf(this.#bytes).key;
  }

  get project(): FieldValue {
    return this.#unpacker.headOf(this.#bytes).project;
  }

  get summary(): string {
    return this.#unpacker.headOf(this.#bytes).summary;
  }

  get history(): History {
    return this.#places.isComplete ? COMPLETE : this.#unpacker.headOf(this.#bytes).history;
  }

  [changesByField](field: string): readonly Change[] {
    if (this.#changes?.field === field) return this.#changes.changes;
    const changes = this.#unpacker.changesOf(this.#bytes, field, this.#places);
    this.#changes = { field, changes };
    return changes;
  }

  [contentByField](field: string): FieldContent | undefined {
    if (this.#content?.field === field) return this.#content.content;
    const content = this.#unpacker.contentOf(this.#bytes, field, this.#places);
    this.#content = { field, content };
    return content;
  }
}

const COMPLETE: History = { complete: true };

const fieldsMember: PropertyDescriptor & ThisType<PackedIssue> = {
  enumerable: true,
  configurable: true,
  get() {
    return this.allFields();
  },
};

const changesMember: PropertyDescriptor & ThisType<PackedIssue> = {
  enumerable: true,
  configurable: true,
  get() {
    return this.allChanges();
  },
};

/** Has fields of packed rows read: they can be looked at until `use` returns, and no longer. */
export function fieldsOfRows<Result>(
  rows: readonly PackedRow[],
  unpacker: IssueUnpacker,
  use: UseOfIssues<Result>,
): Result {
  try {
    return use(
      rows.map(({ id, revision, packed }) => ({
        id,
        revision,
        issue: new PackedFields(packed, unpacker),
      })),
    );
  } finally {
    // Their bytes would stay until garbage is collected, long after the next ones have come.
    rows[0]?.packed.buffer.transfer(0);
  }
}
