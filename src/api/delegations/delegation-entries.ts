import { memo } from '../../cache/namespace.ts';
import type {
  Category,
  Delegation,
  DelegationEntry,
  DelegationInput,
  DelegationVersion,
} from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';

/** Trackers bring categories and delegations along, whose ids are smaller. */
export const categoryNumbers = { name: 'category', first: 101 };
export const delegationNumbers = { name: 'delegation', first: 100_001 };

/** The last of some versions, without the account that saved it; null where there is none. */
export const newestOf = memo((versions: readonly DelegationVersion[]): Delegation | null => {
  const last = versions.at(-1);
  if (last === undefined) return null;
  const { savedBy: _, savedAt: __, ...delegation } = last;
  return delegation;
});

/** The keys under which a category, or a delegation, is stored. */
export const entryOfCategory = (id: number) => `${categoryNumbers.name} ${id}`;
export const entryOfDelegation = (id: number) => `${delegationNumbers.name} ${id}`;

/** The categories among all that is stored, by id. */
export const categoriesIn = memo((entries: readonly DelegationEntry[]): readonly Category[] =>
  entries.flatMap((entry) => ('category' in entry ? entry.category : [])).sort((a, b) => a.id - b.id),
);

/** The newest version of each delegation among all that is stored, by id. */
export const newestIn = memo((entries: readonly DelegationEntry[]): readonly Delegation[] =>
  entries.flatMap((entry) => newestOf(versionsOf(entry)) ?? []).sort((a, b) => a.id - b.id),
);

/** The versions of a stored delegation, the oldest first; none of anything else. */
export function versionsOf(entry: DelegationEntry | null): readonly DelegationVersion[] {
  return entry !== null && 'versions' in entry ? entry.versions : [];
}

/** The account that saves a version, and the instant. */
interface Saving {
  readonly by: string;
  readonly at: Instant;
}

/** A version of an input, which may have been made of a whole delegation: it does not bring another id or version. */
export function versionOf(
  { active, delegator, delegates, categoryIds, start, end, notes }: DelegationInput,
  { id, version, by, at }: Pick<Delegation, 'id' | 'version'> & Saving,
): DelegationVersion {
  const input = { active, delegator, delegates, categoryIds, start, end, notes };
  return { ...input, id, version, savedBy: by, savedAt: at };
}

/** Returns true where any version of a delegation names a category. */
export function isCategoryNamed(entries: readonly DelegationEntry[], id: number): boolean {
  return entries.some((entry) => versionsOf(entry).some(({ categoryIds }) => categoryIds.includes(id)));
}
