import { customNamed, isSystemTitle } from '../../issues/field-titles.ts';
import { historyValue } from '../../issues/value-sets.ts';
import type { Change, FieldValue } from '../../model/issue.ts';

/** Data Center names fields by title and Cloud by id; these titles differ from the id they stand for. */
const fieldOfTitle: Readonly<Record<string, string>> = {
  'Fix Version': 'fixVersions',
  Version: 'versions',
  Component: 'components',
  Link: 'issuelinks',
};

type Text = string | null | undefined;

/** What Jira tells in an item of a changelog entry. */
interface ItemTexts {
  readonly field: string;
  readonly fieldtype?: Text;
  readonly fieldId?: Text;
  readonly from?: Text;
  readonly fromString?: Text;
  readonly to?: Text;
  readonly toText?: Text;
}

/** The item with what it says in our nouns. */
export function withEnds<Item extends ItemTexts>(
  item: Item,
): Item & { readonly ends: Pick<Change, 'field' | 'from' | 'to'> } {
  const { from, fromString, to, toText } = item;
  const ends = { field: fieldOf(item), from: readValue(from, fromString), to: readValue(to, toText) };
  return { ...item, ends };
}

function fieldOf({ field, fieldtype, fieldId }: ItemTexts): string {
  if (fieldId) return fieldId;
  // Data Center names a custom field by its title alone, which may be that of a field every issue has.
  if (fieldtype === 'custom') return isSystemTitle(field) ? customNamed(field) : field;
  return Object.hasOwn(fieldOfTitle, field) ? (fieldOfTitle[field] ?? field) : field;
}

function readValue(id: Text, name: Text): FieldValue | null {
  if (!id && !name) return null;
  return historyValue({ id: id || name || '', name: name || id || '' }, Boolean(id));
}
