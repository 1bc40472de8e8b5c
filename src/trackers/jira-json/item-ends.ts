import type { Change, FieldValue } from '../../model/issue.ts';

/** Data Center names fields by title and Cloud by id; these titles differ from the id they stand for. */
const fieldOfTitle: Readonly<Record<string, string>> = {
  'Fix Version': 'fixVersions',
  Version: 'versions',
  Component: 'components',
};

type Text = string | null | undefined;

/** What Jira tells in an item of a changelog entry. */
interface ItemTexts {
  readonly field: string;
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

function fieldOf({ field, fieldId }: ItemTexts): string {
  if (fieldId) return fieldId;
  return Object.hasOwn(fieldOfTitle, field) ? (fieldOfTitle[field] ?? field) : field;
}

function readValue(id: Text, name: Text): FieldValue | null {
  if (!id && !name) return null;
  return { id: id || name || '', name: name || id || '' };
}
