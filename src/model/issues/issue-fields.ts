import {
  type Change,
  type FieldContent,
  type Instant,
  type Issue,
  RESTRICTION,
  UNSUPPORTED,
} from '../issue.ts';

/** The member of an issue that gives the content of one field, where the issue is no plain record. */
export const contentByField = Symbol('content by field');

/** An issue that gives the content of one field without building all the others. */
export interface HasContentByField {
  [contentByField](field: string): FieldContent | undefined;
}

/** An issue with all its fields, or with a reader of single ones. */
type HasFields = Pick<Issue, 'fields'> | HasContentByField;

/** The current content of one field; undefined where the issue does not have the field. */
export function contentOf(issue: HasFields, field: string): FieldContent | undefined {
  if (hasContentByField(issue)) return issue[contentByField](field);
  return Object.hasOwn(issue.fields, field) ? issue.fields[field] : undefined;
}

function hasContentByField(issue: object): issue is HasContentByField {
  return contentByField in issue;
}

/** The member of an issue that gives the changes of one field, where the issue is no plain record. */
export const changesByField = Symbol('changes by field');

/** An issue that gives the changes of one field without building all the others. */
export interface HasChangesByField {
  [changesByField](field: string): readonly Change[];
}

/**
 * An issue whose fields are read one by one: what fills the column of a field. A whole issue is one, and so is a packed one
 * of which nothing else is unpacked.
 */
export type FieldwiseIssue = Pick<
  Issue,
  'key' | 'project' | 'summary' | 'created' | 'updated' | 'history'
> & {
  readonly id?: string | undefined;
} & (Pick<Issue, 'fields' | 'changes'> | (HasContentByField & HasChangesByField));

/** The changes of one field, in their order. */
export function changesOf(
  issue: Pick<Issue, 'changes'> | HasChangesByField,
  field: string,
): readonly Change[] {
  if (hasChangesByField(issue)) return issue[changesByField](field);
  return issue.changes.filter((change) => change.field === field);
}

function hasChangesByField(issue: object): issue is HasChangesByField {
  return changesByField in issue;
}

/**
 * The tracker's own instant of an issue's last update; null where it gives none. `updated` of the issue is no
 * earlier than its last change, which shows how fresh a snapshot is: a workflow migration changes statuses and leaves
 * the tracker's word alone.
 */
export function ownUpdate(issue: Pick<Issue, 'fields'>): Instant | null {
  const content = contentOf(issue, 'updated');
  return typeof content === 'number' ? content : null;
}

/** The key of the project an issue is in: what stands before the number. */
export function projectKeyOf({ key }: Pick<Issue, 'key'>): string {
  return key.slice(0, key.lastIndexOf('-'));
}

/**
 * The restriction of an issue to fewer people than may see its project: its security level, or the roles it is restricted
 * to; null: none. The same text for the same restriction.
 */
export function restrictionOf(issue: HasFields): string | null {
  const [level, roles] = [levelOf(issue), rolesOf(issue)];
  return level === null || roles === null ? (level ?? roles) : `${level}, ${roles}`;
}

/**
 * Ids of the roles an issue is restricted to; null where it is to none. Dwell 0.6.0 stored only that there was a field, so
 * null in it is an unknown restriction.
 */
export function rolesOf(issue: HasFields): string | null {
  const content = contentOf(issue, RESTRICTION);
  if (content === undefined) return null;
  if (content === null) return 'unknown';
  if (typeof content !== 'object') return content === '' ? null : String(content);
  const ids = ('length' in content ? content : [content]).map(({ id }) => id);
  return ids.length === 0 ? null : ids.join(', ');
}

/** Id of an issue's security level; null where it has none. */
export function levelOf(issue: HasFields): string | null {
  return fieldIdOf(issue, 'security');
}

/** Fields that are not read from Jira, for they are long: a file may have them all the same. */
export const unreadFields: readonly string[] = ['comment', 'attachment', 'worklog', 'thumbnail'];

/** True if a content stands for one whose form is not supported. */
export function isUnsupported(content: FieldContent | undefined): boolean {
  return typeof content === 'object' && content !== null && 'id' in content && content.id === UNSUPPORTED.id;
}

/** Id of a field's value, the first of several; of a text or number the text of it. Null where it is empty. */
export function fieldIdOf(issue: HasFields, field: string): string | null {
  return contentIdOf(contentOf(issue, field));
}

/** The id of a content, as `fieldIdOf` gives it. */
export function contentIdOf(content: FieldContent | undefined): string | null {
  if (content === null || content === undefined) return null;
  if (typeof content === 'object') return 'id' in content ? content.id : (content[0]?.id ?? null);
  return content === '' ? null : String(content);
}
