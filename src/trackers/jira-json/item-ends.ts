import type { Change, FieldValue } from '../../model/issue.ts';
import { customNamed, isSystemTitle } from '../../model/issues/field-titles.ts';
import { historyValue } from '../../model/issues/value-sets.ts';

/** The field of links to other issues. */
export const LINKS = 'issuelinks';

/** Data Center names fields by title and Cloud by id; these titles differ from the id they stand for. */
const fieldOfTitle: Readonly<Record<string, string>> = {
  'Fix Version': 'fixVersions',
  Version: 'versions',
  Component: 'components',
  Link: LINKS,
};

/** The name of the field of an issue's epic, unless it was renamed. */
const EPIC_LINK = 'Epic Link';

type Text = string | null | undefined;

/** The texts of an item of a changelog entry. */
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
  const field = fieldOf(item);
  const read = field === LINKS ? readLink : item.field === EPIC_LINK ? readKey : readValue;
  return { ...item, ends: { field, from: read(from, fromString), to: read(to, toText) } };
}

function fieldOf({ field, fieldtype, fieldId }: ItemTexts): string {
  if (fieldId) return fieldId;
  // Data Center names a custom field by its title alone, which may be that of a field every issue has.
  if (fieldtype === 'custom') return isSystemTitle(field) ? customNamed(field) : field;
  return Object.hasOwn(fieldOfTitle, field) ? (fieldOfTitle[field] ?? field) : field;
}

/** The field has the key of the epic alone, a changelog its id as well. */
function readKey(id: Text, key: Text): FieldValue | null {
  const text = key || id;
  return text ? { id: text, name: text } : null;
}

/** A link is known by what it says, as in the field: "This issue blocks WEB-3" in a changelog. */
function readLink(key: Text, words: Text): FieldValue | null {
  const text = words?.replace(/^This issue /, '') || key;
  return text ? { id: text, name: text } : null;
}

function readValue(id: Text, name: Text): FieldValue | null {
  if (!id && !name) return null;
  return historyValue({ id: id || name || '', name: name || id || '' }, Boolean(id));
}
