import type { Status, StatusCategory } from '../model/issue.ts';
import type { Provenance } from '../model/table.ts';

/** The statuses among these whose category is assumed; none of those that an admin has set. */
export function assumedAmong(statuses: Iterable<Status>): Pick<Provenance, 'assumedCategories'> {
  const assumed = new Map<string, { name: string; category: StatusCategory }>();
  for (const { id, name, category, categorySource = 'admin' } of statuses) {
    if (categorySource !== 'admin') assumed.set(id, { name, category });
  }
  const all = [...assumed].map(([id, status]) => ({ id, ...status }));
  return all.length === 0 ? {} : { assumedCategories: all };
}

/** More names of a category are only counted. */
const MAX_NAMED = 5;

/** Names the command with which an admin sets the category of a status. */
export const setCategoryText = 'An admin can set it with `npx dwell statuses`';

/**
 * Which categories are assumed, such as "Assumed category: In Progress for QA, Review; To Do for Open.", and what an admin can
 * do; null where none are.
 */
export function assumedText(provenance: Pick<Provenance, 'assumedCategories'>): string | null {
  const assumed = assumedOnly(provenance);
  return assumed === null ? null : `${assumed} ${setCategoryText}.`;
}

/** The note on assumed categories without the advice for admins. `words` escapes a name. */
export function assumedOnly(
  { assumedCategories = [] }: Pick<Provenance, 'assumedCategories'>,
  words: (name: string) => string = (name) => name,
): string | null {
  if (assumedCategories.length === 0) return null;
  const byCategory = Map.groupBy(assumedCategories, ({ category }) => category);
  const parts = [...byCategory].map(([category, statuses]) => {
    const names = [...new Set(statuses.map(({ name }) => name))];
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
    return `${category} for ${names.slice(0, MAX_NAMED).map(words).join(', ')}${more}`;
  });
  return `Assumed category: ${parts.join('; ')}.`;
}
