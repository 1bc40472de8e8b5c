import { z } from 'zod';
import { compareIds } from '../../issues/ids-and-names.ts';
import type { Instant } from '../../model/issue.ts';
import { idText } from '../jira-json/jira-schema.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';

const entryHead = z.object({ id: idText, created: z.union([z.string(), z.number()]) });
const embedded = z.object({ histories: z.array(z.unknown()), total: z.number() });

/** An entry of a changelog as Jira tells it; one that cannot be read is known by all it says. */
export interface ChangelogEntry {
  readonly id: string;
  readonly at: Instant | null;
  readonly raw: unknown;
}

/** As many entries as one answer, or one walk through pages, has told, each once; `total`: how many Jira says there are. */
export interface Changelog {
  readonly entries: ReadonlyMap<string, ChangelogEntry>;
  readonly total: number;
}

/** Entries told several times, as pages that overlap do, count once. */
export function changelogOf(histories: readonly unknown[], total = 0): Changelog {
  const entries = histories.map(readEntry).map((entry) => [entry.id, entry] as const);
  return { entries: new Map(entries), total };
}

/** The changelog that came along with an issue; null when it carries none, or none that says how long it is. */
export function embeddedChangelog(raw: unknown): Changelog | null {
  const told = embedded.safeParse(raw);
  return told.success ? changelogOf(told.data.histories, told.data.total) : null;
}

/** The entries as Jira tells them, oldest first, whatever order they came in. */
export function oldestFirst({ entries }: Changelog): unknown[] {
  return [...entries.values()]
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || compareIds(a.id, b.id))
    .map(({ raw }) => raw);
}

/**
 * What is missing as far as anybody could tell: entries somebody counted, or that came along before, or when they
 * happened; null: nothing.
 */
export function lackOf(fetched: Changelog, along: Changelog | null): string | null {
  const { entries } = fetched;
  const total = Math.max(fetched.total, along?.total ?? 0);
  if (entries.size < total) return `Jira counts ${total} changelog entries and hands out ${entries.size}`;
  const missing = [...(along?.entries.keys() ?? [])].filter((id) => !entries.has(id)).length;
  if (missing > 0) return `${missing} changelog entries that came with the issue are not in its changelog`;
  const others = [...(along?.entries ?? [])].filter(([id, { at }]) => isApart(entries.get(id)?.at ?? at, at));
  return others.length === 0
    ? null
    : `Jira gives other times for ${others.length} changelog entries than with the issue`;
}

/** Seconds tell an instant less exactly than what comes with the issue does. */
function isApart(one: Instant | null, other: Instant | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) >= 1000;
}

/** Both together; of an entry that both have, `b` is believed where it tells an instant. */
export function joinChangelogs(a: Changelog, b: Changelog): Changelog {
  const better = [...b.entries].filter(([id, { at }]) => at !== null || !a.entries.has(id));
  return { entries: new Map([...a.entries, ...better]), total: Math.max(a.total, b.total) };
}

function readEntry(raw: unknown): ChangelogEntry {
  const head = entryHead.safeParse(raw);
  if (!head.success) return { id: JSON.stringify(raw), at: null, raw };
  return { id: head.data.id, at: parseInstant(head.data.created), raw };
}
