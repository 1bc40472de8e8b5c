import type { Change, FieldValue } from '../../model/issue.ts';
import { distinctEntries } from './distinct-entries.ts';
import type { JiraChangelog, JiraItem } from './jira-schema.ts';
import { parseInstant } from './parse-instant.ts';
import { readPerson } from './read-person.ts';

/** Data Center names fields by title and Cloud by id; these titles differ from the id they stand for. */
const fieldOfTitle: Readonly<Record<string, string>> = {
  'Fix Version': 'fixVersions',
  Version: 'versions',
  Component: 'components',
};

/** The items of a changelog as changes, in no particular order, or the reason why they cannot be used. */
export function readChanges(changelog: JiraChangelog): Change[] | { readonly reason: string } {
  const changes: Change[] = [];
  for (const entry of distinctEntries(changelog)) {
    const at = parseInstant(entry.created);
    if (at === null) {
      return {
        reason: `changelog entry ${entry.id ?? '(no id)'} has no readable instant: '${entry.created}'`,
      };
    }
    const by = readPerson(entry.author)?.id ?? null;
    entry.items.forEach((item, index) => {
      changes.push({ entry: entry.id ?? '', item: index, at, field: fieldOf(item), ...readEnds(item), by });
    });
  }
  return changes;
}

function fieldOf(item: JiraItem): string {
  if (item.fieldId) return item.fieldId;
  return Object.hasOwn(fieldOfTitle, item.field) ? (fieldOfTitle[item.field] ?? item.field) : item.field;
}

function readEnds(item: JiraItem): { from: FieldValue | null; to: FieldValue | null } {
  return { from: readValue(item.from, item.fromString), to: readValue(item.to, item.toText) };
}

function readValue(id: string | null | undefined, name: string | null | undefined): FieldValue | null {
  if (!id && !name) return null;
  return { id: id || name || '', name: name || id || '' };
}
