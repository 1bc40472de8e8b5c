import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Change, History, Instant } from '../../model/issue.ts';
import type { JiraChangelog, JiraHistory } from './jira-schema.ts';

/** Sizes at which Jira Cloud is known to cut a changelog embedded in a search answer without saying so. */
const silentCaps: readonly number[] = [40, 100];

/**
 * Imports bring changes of some years before their issue was created; a change dated ten years before, such as in 1970,
 * was written or read in a wrong unit, and its time is unknown.
 */
const MAX_BEFORE_MS = 10 * 365.25 * 24 * millisecondsInHour;

type UnknownTime = { readonly unknownFrom: Instant | null; readonly unknownUntil: Instant | null };

/** The status the issue shows beside its changelog. */
interface StatusNow {
  readonly id: string;
  readonly name: string;
}

const allUnknown: UnknownTime = { unknownFrom: null, unknownUntil: null };

/** The result of a check of a changelog with the tracker: complete, or its gaps. */
export interface Verified {
  /** Null: nothing. */
  readonly lack: string | null;
}

/** A changelog as the tracker sends it. */
interface ToldChangelog {
  readonly changelog: JiraChangelog | null | undefined;
  /** Its entries, each once. */
  readonly entries: readonly JiraHistory[];
  readonly statusNow: StatusNow;
  readonly verified: Verified | null;
  /** The creation of the issue. */
  readonly created: Instant;
}

/**
 * Returns whether the changelog is complete, and else the time that its missing entries leave unknown. Without a check
 * it is judged by its looks; the gaps of a checked one may be anywhere.
 */
export function readCompleteness({
  changelog,
  entries,
  statusNow,
  verified,
  created,
}: ToldChangelog): History {
  const doubts = [reasonOfUnread(changelog), reasonOfMisdated(entries, created)].filter(
    (one) => one !== null,
  );
  const unread = doubts.length === 0 ? null : doubts.join('; ');
  if (verified !== null) {
    const lack = [verified.lack, unread].filter((one) => one !== null).join('; ');
    return lack === '' ? { complete: true } : { complete: false, ...allUnknown, reason: lack };
  }
  if (!changelog) {
    return { complete: false, ...allUnknown, reason: 'the import carried no changelog for this issue' };
  }
  const cut = reasonOfCut(changelog, entries);
  if (unread !== null) {
    return { complete: false, ...allUnknown, reason: cut === null ? unread : `${cut}; ${unread}` };
  }
  return cut === null
    ? { complete: true }
    : { complete: false, ...lostTime(changelog, entries, statusNow), reason: cut };
}

/** Null: nothing that came is left out. */
function reasonOfUnread(changelog: JiraChangelog | null | undefined): string | null {
  const number = changelog?.histories.reduce((sum, { unread }) => sum + unread, 0) ?? 0;
  if (number === 0) return null;
  return number === 1
    ? '1 change of its changelog cannot be read'
    : `${number} changes of its changelog cannot be read`;
}

/** Null: no entry is dated where none can be. */
function reasonOfMisdated(histories: readonly JiraHistory[], created: Instant): string | null {
  const number = histories.filter(({ at }) => (at ?? created) < created - MAX_BEFORE_MS).length;
  if (number === 0) return null;
  const entries = number === 1 ? '1 changelog entry is' : `${number} changelog entries are`;
  return `${entries} dated more than ten years before the issue was created`;
}

function reasonOfCut(
  { histories, total, startAt }: JiraChangelog,
  entries: readonly JiraHistory[],
): string | null {
  const kept = entries.length;
  if (typeof total === 'number' && total > kept) {
    return `only ${kept} of ${total} changelog entries were imported`;
  }
  if (typeof total !== 'number' && startAt) {
    return `the ${startAt} changelog entries before the imported ones are missing`;
  }
  if (silentCaps.includes(histories.length) && isCloud(entries)) {
    return `exactly ${histories.length} changelog entries were imported, the size at which Jira Cloud cuts a changelog silently`;
  }
  return null;
}

/**
 * A page of entries that came newest first has lost the oldest ones, one that came oldest first the newest ones;
 * a page from the middle, or one in no order, says nothing that can be relied upon.
 */
function lostTime(
  { startAt, total }: JiraChangelog,
  entries: readonly JiraHistory[],
  statusNow: StatusNow,
): UnknownTime {
  const instants = entries.flatMap(({ at }) => at ?? []);
  const newestFirst = isNewestFirst(instants, entries, statusNow);
  if (newestFirst === null) return allUnknown;
  const startsLater = (startAt ?? 0) > 0;
  const reachesEnd = typeof total === 'number' && (startAt ?? 0) + entries.length >= total;
  if (startsLater && !reachesEnd) return allUnknown;
  const oldestLost = newestFirst !== startsLater;
  const [oldest = null, newest = null] = newestFirst
    ? [instants.at(-1), instants[0]]
    : [instants[0], instants.at(-1)];
  return oldestLost
    ? { unknownFrom: null, unknownUntil: oldest }
    : { unknownFrom: newest, unknownUntil: null };
}

/**
 * Null when the entries are in neither order. Where the instants do not decide, Cloud sends the newest first; but an
 * entry that does not lead to the status shown now cannot be the newest.
 */
function isNewestFirst(
  instants: readonly Instant[],
  entries: readonly JiraHistory[],
  statusNow: StatusNow,
): boolean | null {
  if (instants.length === 0) return null;
  const steps = instants.slice(1).map((at, i) => at - (instants[i] ?? at));
  const falls = steps.some((step) => step < 0);
  const rises = steps.some((step) => step > 0);
  if (falls && rises) return null;
  if (falls || rises) return falls;
  return isCloud(entries) && leadsTo(statusNow, entries);
}

function leadsTo(statusNow: StatusNow, entries: readonly JiraHistory[]): boolean {
  const moves = entries.flatMap(({ items }) => items).filter(({ ends }) => ends.field === 'status');
  if (moves.length === 0) return true;
  return moves.some(({ to, toText }) => (to ? to === statusNow.id : toText === statusNow.name));
}

/** Data Center knows neither account ids nor, within a changelog, field ids. */
function isCloud(entries: readonly JiraHistory[]): boolean {
  return entries.some(
    ({ author, items }) => Boolean(author?.accountId) || items.some((item) => Boolean(item.fieldId)),
  );
}

/**
 * A date beside the changelog this long after the last change is no skew of clocks, and no date of an import that was read in
 * another time zone.
 */
const LONG_AFTER_MS = millisecondsInDay;

/** The facts about an issue that Jira shows beside its changelog; null where it does not. */
interface EvidenceBeside {
  readonly created: Instant;
  readonly changes: readonly Change[];
  readonly resolved: Instant | null;
  /** The last time at which its status moved to another category. */
  readonly categoryChanged: Instant | null;
}

/**
 * The history of an issue that is done, with a gap where the dates beside the changelog contradict it: the issue was resolved,
 * or came to its category, long after the last change of its status, and no change is known then. One date that agrees with
 * the last change suffices: sites write the date of the category again when they migrate, import issues or move a status to
 * another category, and a resolution may be edited later. A resolution date says nothing if the changelog explains it by a
 * change of the resolution, or if it is from before the last change: it was kept when the issue was opened again.
 */
export function withEvidenceBeside(
  history: History,
  { created, changes, resolved, categoryChanged }: EvidenceBeside,
): History {
  if (!history.complete) return history;
  let moved: Instant | null = null;
  for (const { field, at } of changes) if (field === 'status' && (moved === null || at > moved)) moved = at;
  const last = Math.max(moved ?? created, created);
  const isLongAfter = (at: Instant) => at - last > LONG_AFTER_MS;
  const isExplained = (at: Instant) =>
    changes.some((change) => change.field === 'resolution' && Math.abs(change.at - at) <= LONG_AFTER_MS);
  if (categoryChanged !== null && !isLongAfter(categoryChanged)) return history;
  if (resolved !== null && Math.abs(resolved - last) <= LONG_AFTER_MS) return history;
  const found =
    categoryChanged !== null
      ? { at: categoryChanged, what: 'its status category changed' }
      : resolved !== null && isLongAfter(resolved) && !isExplained(resolved)
        ? { at: resolved, what: 'it was resolved' }
        : null;
  if (found === null) return history;
  const day = new Date(found.at).toISOString().slice(0, 10);
  return {
    complete: false,
    unknownFrom: moved,
    unknownUntil: found.at,
    reason: `${found.what} on ${day}, and its changelog has no change of status then`,
  };
}
