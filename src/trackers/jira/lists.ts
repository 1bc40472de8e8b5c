import { AppError } from '../../model/error.ts';
import type { TrackerEntry } from '../tracker.ts';
import { JiraRefusal } from './jira-failures.ts';
import type { List, ListParts } from './list.ts';
import { listFields } from './list-fields.ts';
import { listFilters } from './list-filters.ts';
import { listGroups } from './list-groups.ts';
import { listSprints } from './list-sprints.ts';
import { listStatuses } from './list-statuses.ts';
import { listUsers } from './list-users.ts';

/** By the name under which a refusal is told. */
const lists: Readonly<Record<string, List>> = {
  statuses: listStatuses,
  fields: listFields,
  people: listUsers,
  groups: listGroups,
  sprints: listSprints,
  filters: listFilters,
};

/** All that belongs to the issues and is none; a list that is refused, or told wrongly, is told as unreadable. */
export async function* tellLists(parts: ListParts): AsyncGenerator<TrackerEntry> {
  for (const [source, list] of Object.entries(lists)) {
    try {
      yield* list(parts);
    } catch (error) {
      // Who is not let in is told nothing at all.
      const isOfList =
        error instanceof JiraRefusal || (error instanceof AppError && error.code !== 'not-allowed');
      if (!isOfList) throw error;
      yield { kind: 'unreadable', source, reason: error.message };
    }
  }
}
